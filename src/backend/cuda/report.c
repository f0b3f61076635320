/* What an invocation did wrong, told in the user's names. */
#include "backend/cuda/kernel.h"
#include "dev/actor.h"
#include "emit/ptx/abi.h"
#include <inttypes.h>
#include <stdio.h>

static gf_value first_item(const uint64_t *state, const gf_segment *segment) {
    if (segment->forall_from == NULL) {
        return (gf_value){.type = GF_TYPE_U64};
    }
    return (gf_value){.type = segment->forall_from->symbol->type, .bits = state[GF_PTX_STATE_FROM / 8]};
}

/* Without a segment it was the tree of the plan. */
static void name_culprit(const uint64_t *state, const gf_segment *segment, const gf_backend_launch *asked, char *text,
                         size_t size) {
    const uint64_t *space = asked->space, linear = state[GF_PTX_STATE_CULPRIT / 8];
    if (segment == NULL) {
        (void)snprintf(text, size, "the grid");
        return;
    }
    if (segment->is_forall || asked->forall_from != NULL) {
        gf_name_item(segment->is_forall ? first_item(state, segment) : *asked->forall_from, linear, text, size);
        return;
    }
    uint64_t x = space[0] > 0 ? space[0] : 1, y = space[1] > 0 ? space[1] : 1;
    uint64_t id[3] = {linear % x, linear / x % y, linear / x / y};
    gf_name_invocation(id, space, text, size);
}

static bool report_fault(const uint64_t *state, const gf_ptx_site *site, const char *who, gf_diags *diags) {
    if (state[GF_PTX_STATE_EVENT / 8] == GF_PTX_DIVISION) {
        return gf_fail(diags, GF_CODE_DIVISION_BY_ZERO, site->span, "%s divides by zero", who);
    }
    char index[32];
    uint64_t value = state[GF_PTX_STATE_VALUE / 8];
    if (gf_type_is_signed(site->type)) {
        (void)snprintf(index, sizeof index, "%" PRId64, (int64_t)value);
    } else {
        (void)snprintf(index, sizeof index, "%" PRIu64, value);
    }
    (void)gf_fail(diags, GF_CODE_OUT_OF_BOUNDS, site->span,
                  "%s is at `%s[%s]`, which is out of bounds: its length is %" PRIu64, who, site->array->name, index,
                  state[GF_PTX_STATE_COUNT / 8]);
    gf_fix(diags, "guard the access by `if`, or make the buffer longer");
    return false;
}

bool gf_cuda_report(const gf_cuda_kernel *kernel, const gf_ptx_module *text, const uint64_t *state,
                    const gf_backend_launch *asked, uint64_t barriers, gf_backend_result *result, gf_diags *diags) {
    uint64_t number = state[GF_PTX_STATE_PLACE / 8];
    if (number >= text->place_count) {
        return gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "compiled code names a place that program `%s` has not",
                       kernel->plan->program->checked->name);
    }
    const gf_ptx_site *site = &text->places[number];
    if (state[GF_PTX_STATE_EVENT / 8] != GF_PTX_TRAP) {
        char who[128];
        name_culprit(state, site->segment, asked, who, sizeof who);
        result->has_fault = true;
        result->fault_invocation = state[GF_PTX_STATE_CULPRIT / 8];
        return report_fault(state, site, who, diags);
    }
    result->trapped = true;
    result->trap_stretch = barriers;
    result->trap_invocation = state[GF_PTX_STATE_CULPRIT / 8];
    result->trap_statement = site->stmt;
    result->trap_address = (gf_value){.type = site->type, .bits = state[GF_PTX_STATE_VALUE / 8]};
    return true;
}
