/* What an invocation did wrong, told in the user's names. */
#include "backend/cpu/run.h"
#include "dev/actor.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void gf_cpu_take_wrong(gf_cpu_run *run, const gf_segment *segment, const uint64_t space[3]) {
    gf_cpu_wrong *wrong = &run->wrong;
    for (unsigned i = 0; i < run->threads; i++) {
        gf_abi_worker *worker = &run->workers[i].abi;
        if (worker->culprit < wrong->what.culprit) { /* nobody is the highest */
            wrong->what = *worker;
            wrong->segment = segment;
            wrong->launch = run->launches;
            memcpy(wrong->space, space, sizeof wrong->space);
        }
        worker->culprit = GF_ABI_NOBODY;
    }
}

/* What the first item of a segment is. Its register is its own, and holds it to the end of the stretch. */
static gf_value first_item(const gf_cpu_run *run, const gf_segment *segment) {
    const gf_segment_param *from = segment->forall_from;
    if (from == NULL) {
        return (gf_value){.type = GF_TYPE_U64};
    }
    const gf_cpu_source *source = &run->kernel->segments[segment->index].params[from - segment->params];
    return (gf_value){.type = from->symbol->type, .bits = run->registers[source->index]};
}

/* Without a segment it was the tree of the plan. */
static void name_culprit(const gf_cpu_run *run, char *text, size_t size) {
    const gf_cpu_wrong *wrong = &run->wrong;
    const uint64_t *space = wrong->space;
    uint64_t linear = wrong->what.culprit;
    if (wrong->segment == NULL) {
        (void)snprintf(text, size, "the grid");
        return;
    }
    if (wrong->segment->is_forall || run->asked->forall_from != NULL) {
        gf_name_item(wrong->segment->is_forall ? first_item(run, wrong->segment) : *run->asked->forall_from, linear,
                     text, size);
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

bool gf_cpu_report(gf_cpu_run *run) {
    const gf_abi_worker *what = &run->wrong.what;
    const gf_llvm_place *place = gf_cpu_kernel_place(run->kernel, run->asked->checked, what->place, run->diags);
    run->ended = true;
    if (place == NULL) {
        return false;
    }
    if (what->event != GF_ABI_TRAP) {
        char who[128];
        name_culprit(run, who, sizeof who);
        run->result->has_fault = true;
        run->result->fault_invocation = what->culprit;
        return report_fault(run, what, place, who);
    }
    run->result->trapped = true;
    run->result->trap_stretch = run->wrong.launch - 1;
    run->result->trap_invocation = what->culprit;
    run->result->trap_statement = place->stmt;
    run->result->trap_address = (gf_value){.type = place->type, .bits = what->value};
    return false;
}
