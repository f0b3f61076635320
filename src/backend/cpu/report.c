/* What an invocation did wrong, told in the user's names. */
#include "backend/cpu/run.h"
#include "dev/actor.h"
#include <inttypes.h>
#include <stdio.h>

static const gf_abi_worker *find_culprit(const gf_cpu_run *run) {
    const gf_abi_worker *first = NULL;
    for (unsigned i = 0; i < run->threads; i++) {
        const gf_abi_worker *worker = &run->workers[i].abi;
        if (worker->culprit != GF_ABI_NOBODY && (first == NULL || worker->culprit < first->culprit)) {
            first = worker;
        }
    }
    return first;
}

/* What the first item of a segment is that was launched last, so its register holds it yet. */
static gf_value first_item(const gf_cpu_run *run, const gf_segment *segment) {
    const gf_segment_param *from = segment->forall_from;
    if (from == NULL) {
        return (gf_value){.type = GF_TYPE_U64};
    }
    const gf_cpu_source *source = &run->kernel->segments[segment->index].params[from - segment->params];
    return (gf_value){.type = from->symbol->type, .bits = run->registers[source->index]};
}

/* Without a segment it was the tree of the plan. */
static void name_culprit(const gf_cpu_run *run, const gf_segment *segment, const uint64_t space[3], uint64_t linear,
                         char *text, size_t size) {
    if (segment == NULL) {
        (void)snprintf(text, size, "the grid");
        return;
    }
    if (segment->is_forall || run->asked->forall_from != NULL) {
        gf_name_item(segment->is_forall ? first_item(run, segment) : *run->asked->forall_from, linear, text, size);
        return;
    }
    uint64_t id[3] = {linear % space[0], linear / space[0] % space[1], linear / space[0] / space[1]};
    gf_name_invocation(id, space, text, size);
}

static bool report_fault(gf_cpu_run *run, const gf_abi_worker *worker, const gf_llvm_place *place, const char *who) {
    if (worker->event == GF_ABI_DIVISION) {
        return gf_fail(run->diags, GF_CODE_DIVISION_BY_ZERO, place->span, "%s divides by zero", who);
    }
    char index[32];
    if (gf_type_is_signed(place->type)) {
        (void)snprintf(index, sizeof index, "%" PRId64, (int64_t)worker->value);
    } else {
        (void)snprintf(index, sizeof index, "%" PRIu64, worker->value);
    }
    (void)gf_fail(run->diags, GF_CODE_OUT_OF_BOUNDS, place->span,
                  "%s is at `%s[%s]`, which is out of bounds: its length is %" PRIu64, who, place->array->name, index,
                  worker->count);
    gf_fix(run->diags, "guard the access by `if`, or make the buffer longer");
    return false;
}

bool gf_cpu_report(gf_cpu_run *run, const gf_segment *segment, const uint64_t space[3]) {
    const gf_abi_worker *worker = find_culprit(run);
    const gf_llvm_place *place = gf_cpu_kernel_place(run->kernel, run->asked->checked, worker->place, run->diags);
    if (place == NULL) {
        return false;
    }
    if (worker->event != GF_ABI_TRAP) {
        char who[128];
        name_culprit(run, segment, space, worker->culprit, who, sizeof who);
        return report_fault(run, worker, place, who);
    }
    run->result->trapped = true;
    run->result->trap_stretch = run->launches - 1;
    run->result->trap_invocation = worker->culprit;
    run->result->trap_statement = place->stmt;
    run->result->trap_address = (gf_value){.type = place->type, .bits = worker->value};
    return false;
}
