/* The layout of include/plan_gate.layout.json, as this compiler sees it. The numbers come from there. */
#include <plan_gate.h>

_Static_assert(PLAN_GATE_ABI_VERSION == LAYOUT_ABI, "ABI number");
_Static_assert(sizeof(void *) == LAYOUT_POINTER, "pointer");
_Static_assert(sizeof(plan_gate_buf) == LAYOUT_SIZE, "size");
_Static_assert(_Alignof(plan_gate_buf) == LAYOUT_ALIGN, "alignment");
_Static_assert(offsetof(plan_gate_buf, data) == LAYOUT_DATA, "data");
_Static_assert(offsetof(plan_gate_buf, len) == LAYOUT_LEN, "len");
_Static_assert(offsetof(plan_gate_buf, cap) == LAYOUT_CAP, "cap");
_Static_assert(sizeof(plan_gate_decision) == 8 && sizeof(plan_gate_status) == 4, "answers");
