/* What a launch that went wrong says. */
#include "backend/interp/races.h"
#include "dev/actor.h"

#include <inttypes.h>
#include <stdio.h>

void gf_name_actor(const gf_machine *m, const gf_actor *actor, gf_type item_type, uint64_t item, char *text,
                   size_t size) {
    uint64_t id[3], group = actor->group, lane = actor->index;
    switch (actor->kind) {
    case GF_ACTOR_GRID:
        snprintf(text, size, "the grid");
        return;
    case GF_ACTOR_GROUP:
        snprintf(text, size, "workgroup %" PRIu64, group);
        return;
    case GF_ACTOR_ITEM:
        gf_name_item((gf_value){.type = item_type, .bits = item}, 0, text, size);
        return;
    case GF_ACTOR_LANE:
        break;
    }
    if (m->launch->forall_from != NULL) {
        gf_name_item(*m->launch->forall_from, gf_linear_id(m, actor), text, size);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        id[axis] = group % m->launch->groups[axis] * m->workgroup[axis] + lane % m->workgroup[axis];
        group /= m->launch->groups[axis];
        lane /= m->workgroup[axis];
    }
    gf_name_invocation(id, m->launch->space, text, size);
}

static void report_fault(const gf_machine *m) {
    const gf_fault *fault = &m->fault;
    const gf_place *place = &m->code->places[fault->where];
    char who[128], index[32];
    gf_name_actor(m, &fault->actor, fault->item_type, fault->item, who, sizeof who);
    if (fault->kind == GF_FAULT_DIVISION) {
        gf_fail(m->diags, GF_CODE_DIVISION_BY_ZERO, place->span, "%s divides by zero", who);
        return;
    }
    if (gf_type_is_signed(fault->index_type)) {
        snprintf(index, sizeof index, "%" PRId64, (int64_t)fault->index);
    } else {
        snprintf(index, sizeof index, "%" PRIu64, fault->index);
    }
    gf_fail(m->diags, GF_CODE_OUT_OF_BOUNDS, place->span,
            "%s is at `%s[%s]`, which is out of bounds: its length is %" PRIu64, who, fault->array->name, index,
            fault->count);
    gf_fix(m->diags, "guard the access by `if`, or make the buffer longer");
}

bool gf_report(gf_machine *m) {
    if (m->no_memory) {
        return gf_fail_memory(m->diags);
    }
    if (m->stop_reason != GF_STOP_NONE) {
        unsigned long long passes = (unsigned long long)m->result->passes;
        if (m->stop_reason == GF_STOP_TIMEOUT) {
            return gf_fail(m->diags, GF_CODE_TIMEOUT, GF_NO_SPAN, "the time limit was reached after %llu whole pass%s",
                           passes, passes == 1 ? "" : "es");
        }
        return gf_fail(m->diags, GF_CODE_CANCELLED, GF_NO_SPAN, "the run was cancelled after %llu whole pass%s", passes,
                       passes == 1 ? "" : "es");
    }
    /* A trap is a fault as any other: what counts is the lowest invocation. */
    const gf_trap *trap = &m->result->trap;
    bool is_fault = m->fault.kind != GF_FAULT_NONE && !(trap->raised && trap->invocation < m->fault.order);
    bool wrong = is_fault || gf_races_found(m->races);
    if (is_fault) {
        report_fault(m);
        m->result->has_fault = !gf_races_found(m->races);
        m->result->fault_invocation = m->fault.order;
    }
    gf_races_report(m);
    return !wrong;
}
