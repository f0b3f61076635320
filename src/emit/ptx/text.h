/* The kernel of a plan as text, for people. */
#ifndef GF_EMIT_PTX_TEXT_H
#define GF_EMIT_PTX_TEXT_H

#include "base/diag.h"
#include "plan/plan.h"

/* By gf_malloc; NULL with a message. */
char *gf_ptx_text(const gf_plan *plan, gf_diags *diags);

#endif
