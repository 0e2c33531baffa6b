/* The header alone, and twice: compiled as C and as C++, under every standard, warnings as errors. */
#include <plan_gate.h>
#include <plan_gate.h>

#ifdef __cplusplus
extern "C"
#endif
uint32_t header_compiles(void);

uint32_t header_compiles(void) {
  plan_gate_buf buf = PLAN_GATE_BUF_INIT;
  plan_gate_buf_free(&buf);
  return PLAN_GATE_ABI_VERSION;
}
