/* The two hot calls without ctypes: an optional extension on the stable ABI of Python 3.10. It links to nothing;
 * the addresses of the functions come from the library that ctypes has loaded and compared.
 *
 * The interpreter lock is kept: a check takes a fraction of a microsecond and never calls back. Long arguments go
 * through ctypes, which lets it go.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030a0000
#include <Python.h>
#include <stdint.h>

typedef uint64_t (*check_function)(const void *, const char *, size_t, const char *, size_t);
typedef uint64_t (*effect_function)(const void *, const char *, size_t, uint32_t, const char *, size_t);

static const char NAME[] = "plan_gate.session";
static check_function check_address;
static effect_function effect_address;

/* The capsule points at the pointer inside a ctypes handle, which becomes NULL at fork, and keeps the handle. */
static void release(PyObject *capsule) { Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule)); }

static PyObject *session(PyObject *module, PyObject *args) {
  PyObject *handle, *capsule;
  unsigned long long address;
  (void)module;
  if (!PyArg_ParseTuple(args, "OK", &handle, &address)) return NULL;
  capsule = PyCapsule_New((void *)(uintptr_t)address, NAME, release);
  if (capsule == NULL) return NULL;
  Py_INCREF(handle);
  if (PyCapsule_SetContext(capsule, handle) < 0) {
    Py_DECREF(handle);
    Py_DECREF(capsule);
    return NULL;
  }
  return capsule;
}

static int text(PyObject *object, const char **data, Py_ssize_t *size) {
  if (PyUnicode_Check(object)) return (*data = PyUnicode_AsUTF8AndSize(object, size)) == NULL ? -1 : 0;
  return PyBytes_AsStringAndSize(object, (char **)data, size);
}

static PyObject *arity(Py_ssize_t wanted) {
  PyErr_Format(PyExc_TypeError, "%zd arguments are needed", wanted);
  return NULL;
}

static PyObject *check(PyObject *module, PyObject *const *args, Py_ssize_t count) {
  const char *tool, *json;
  Py_ssize_t tool_size, json_size;
  void **handle;
  (void)module;
  if (count != 3 || check_address == NULL) return arity(3);
  handle = PyCapsule_GetPointer(args[0], NAME);
  if (handle == NULL || text(args[1], &tool, &tool_size) < 0 || text(args[2], &json, &json_size) < 0) return NULL;
  return PyLong_FromUnsignedLongLong(check_address(*handle, tool, (size_t)tool_size, json, (size_t)json_size));
}

static PyObject *check_effect(PyObject *module, PyObject *const *args, Py_ssize_t count) {
  const char *tool, *value;
  Py_ssize_t tool_size, value_size;
  unsigned long kind;
  void **handle;
  (void)module;
  if (count != 4 || effect_address == NULL) return arity(4);
  handle = PyCapsule_GetPointer(args[0], NAME);
  if (handle == NULL || text(args[1], &tool, &tool_size) < 0 || text(args[3], &value, &value_size) < 0) return NULL;
  kind = PyLong_AsUnsignedLong(args[2]);
  if (PyErr_Occurred()) return NULL;
  /* A number too large for the library is one it does not know. */
  if (kind > UINT32_MAX) kind = UINT32_MAX;
  return PyLong_FromUnsignedLongLong(
      effect_address(*handle, tool, (size_t)tool_size, (uint32_t)kind, value, (size_t)value_size));
}

static PyObject *bind(PyObject *module, PyObject *args) {
  unsigned long long check_at, effect_at;
  (void)module;
  if (!PyArg_ParseTuple(args, "KK", &check_at, &effect_at)) return NULL;
  check_address = (check_function)(uintptr_t)check_at;
  effect_address = (effect_function)(uintptr_t)effect_at;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"bind", bind, METH_VARARGS, "The addresses of the library's two functions."},
    {"session", session, METH_VARARGS, "What check and check_effect take for a session."},
    {"check", (PyCFunction)(void (*)(void))check, METH_FASTCALL, "plan_gate_session_check"},
    {"check_effect", (PyCFunction)(void (*)(void))check_effect, METH_FASTCALL, "plan_gate_session_check_effect"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_fast", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__fast(void) { return PyModule_Create(&definition); }
