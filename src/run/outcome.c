/* How runs end that do not end well: stopped, trapped. */
#include "ir/program.h"
#include "run/job.h"
#include <inttypes.h>

bool gf_job_was_stopped(const gf_job *job) {
    return atomic_load_explicit(&job->stop.reason, memory_order_acquire) != GF_STOP_NONE;
}

bool gf_fail_stopped(gf_stop *stop, const gf_run_options *options, gf_diags *diags) {
    switch (gf_stop_poll(stop)) {
    case GF_STOP_TIMEOUT:
        (void)gf_fail(diags, GF_CODE_TIMEOUT, GF_NO_SPAN, "the run took longer than its limit of %g seconds",
                      options->timeout);
        gf_fix(diags, "raise the time limit, or limit the passes");
        return false;
    case GF_STOP_CANCELLED:
        return gf_fail(diags, GF_CODE_CANCELLED, GF_NO_SPAN, "the run was cancelled");
    case GF_STOP_NONE:
        break;
    }
    return gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "a run ended as stopped that nobody stopped");
}

static void print_address(gf_value value, char text[32]) {
    switch (value.type) {
    case GF_TYPE_I32:
        (void)snprintf(text, 32, "%" PRId32, (int32_t)(uint32_t)value.bits);
        return;
    case GF_TYPE_I64:
        (void)snprintf(text, 32, "%" PRId64, (int64_t)value.bits);
        return;
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        (void)snprintf(text, 32, "0x%" PRIx64, value.bits);
        return;
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_U32:
    case GF_TYPE_U64:
    case GF_TYPE_F16:
        (void)snprintf(text, 32, "%" PRIu64, value.bits);
        return;
    }
}

bool gf_fail_trap(const gf_backend_result *result, gf_diags *diags) {
    const gf_stmt *stmt = result->trap_statement;
    if (stmt == NULL) {
        return gf_fail(diags, GF_CODE_TRAP, GF_NO_SPAN, "a trap or assert of the program in invocation %" PRIu64,
                       result->trap_invocation);
    }
    const char *text = stmt->text != NULL ? stmt->text : "";
    if (stmt->kind == GF_STMT_ASSERT) {
        return gf_fail(diags, GF_CODE_ASSERT, stmt->span, "assert failed: \"%s\" (invocation %" PRIu64 ")", text,
                       result->trap_invocation);
    }
    char address[32];
    print_address(result->trap_address, address);
    return gf_fail(diags, GF_CODE_TRAP, stmt->span, "trap \"%s\" at address %s (invocation %" PRIu64 ")", text, address,
                   result->trap_invocation);
}
