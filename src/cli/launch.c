#include "cli/launch.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include <stdlib.h>
#include <string.h>

static bool keep_profile(gf_cli_result *result, const gf_bindings *bindings, gf_diags *diags) {
    result->profile_count = gf_run_profile(bindings, NULL, 0);
    result->profile = gf_calloc(result->profile_count + 1, sizeof *result->profile);
    if (result->profile == NULL) {
        result->profile_count = 0;
        return gf_fail_memory(diags);
    }
    (void)gf_run_profile(bindings, result->profile, result->profile_count);
    return true;
}

static int compare_wall(const void *a, const void *b) {
    double left = ((const gf_cli_result *)a)->stats.seconds_wall;
    double right = ((const gf_cli_result *)b)->stats.seconds_wall;
    return (left > right) - (left < right);
}

static bool run_once(gf_kernel *kernel, gf_bindings *bindings, gf_device *device, gf_cli_data *data,
                     gf_run_options *options, bool show_progress, gf_cli_result *result, gf_diags *diags) {
    if (!gf_cli_data_bind(data, bindings, device, diags)) {
        return false;
    }
    gf_cli_progress progress = {0};
    gf_cli_progress_begin(&progress, options, show_progress);
    bool done = gf_run(kernel, bindings, options, &result->stats, diags);
    gf_cli_progress_end(&progress);
    if (done && gf_cli_signal() != 0) {
        /* It came too late to stop the run, and nothing of it is wanted all the same. */
        return gf_fail(diags, GF_CODE_CANCELLED, GF_NO_SPAN, "the run was cancelled");
    }
    return done && keep_profile(result, bindings, diags);
}

static bool run_all(gf_kernel *kernel, gf_bindings *bindings, gf_device *device, gf_cli_data *data,
                    const gf_cli_options *options, gf_run_options *how, bool show_progress, gf_cli_result *result,
                    gf_diags *diags) {
    size_t count = (size_t)options->repeat;
    gf_cli_result *all = gf_calloc(count, sizeof *all);
    if (all == NULL) {
        return gf_fail_memory(diags);
    }
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        done = run_once(kernel, bindings, device, data, how, show_progress, &all[i], diags);
        how->trace = NULL;
    }
    if (done) {
        qsort(all, count, sizeof *all, compare_wall);
        gf_profile_entry *profile = all[count / 2].profile;
        result->stats = all[count / 2].stats;
        result->profile = profile;
        result->profile_count = all[count / 2].profile_count;
        all[count / 2].profile = NULL;
    }
    for (size_t i = 0; i < count; i++) {
        gf_free(all[i].profile);
    }
    gf_free(all);
    return done;
}

bool gf_cli_launch(gf_device *device, gf_cli_data *data, const gf_cli_options *options, gf_strategy strategy,
                   gf_trace *trace, bool show_progress, gf_cli_result *result, gf_diags *diags) {
    gf_kernel_options kernel_options = {
        .plan = {.keep_barriers = options->keep_barriers, .keep_empty = options->keep_empty}};
    memcpy(kernel_options.workgroup, options->workgroup, sizeof kernel_options.workgroup);
    double begin = gf_clock_seconds();
    gf_kernel *kernel = gf_kernel_create(device, data->program, &kernel_options, diags);
    if (kernel == NULL) {
        return false;
    }
    result->repeat = options->repeat;
    gf_run_options how = {.max_passes = options->passes,
                          .strategy = strategy,
                          .timeout = options->timeout,
                          .memory_limit = options->memory_limit,
                          .checked = options->checked,
                          .check_races = options->check_races,
                          .require_converged = options->require_converged,
                          .profile = options->time || options->json,
                          /* Results are handed on only after success: what a failure leaves in them is never seen. */
                          .in_place = true,
                          .trace = trace};
    gf_bindings *bindings = gf_bindings_create(kernel);
    result->compile_seconds = gf_clock_seconds() - begin;
    /* Nor does a line get between what is timed. */
    bool shows = show_progress && !options->time && options->repeat == 1;
    bool done = run_all(kernel, bindings, device, data, options, &how, shows, result, diags);
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    return done;
}
