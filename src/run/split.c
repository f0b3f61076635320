/* gf_run_split: the plan over a function that can only run one kernel. */
#include "base/clock.h"
#include "base/memory.h"
#include "run/cancel.h"
#include "run/job.h"
#include "run/strategy.h"
#include <stdio.h>
#include <string.h>

typedef struct arguments {
    gf_value *params;
    gf_bound *bound;
} arguments;

static bool check_counts(const gf_tree *tree, size_t input_count, size_t output_count, gf_diags *diags) {
    size_t inputs = 0;
    size_t outputs = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_BUFFER) {
            inputs += symbol->role == GF_ROLE_IN || symbol->role == GF_ROLE_INOUT;
            outputs += symbol->role == GF_ROLE_OUT || symbol->role == GF_ROLE_INOUT;
        }
    }
    if (inputs != input_count || outputs != output_count) {
        return gf_fail(diags, GF_CODE_SPLIT_ARGUMENTS, GF_NO_SPAN,
                       "program `%s` takes %zu inputs and %zu outputs and was given %zu and %zu", tree->name, inputs,
                       outputs, input_count, output_count);
    }
    return true;
}

static void place_buffers(const gf_tree *tree, const gf_bytes *inputs, const gf_output *outputs, gf_bound *bound) {
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind != GF_SYMBOL_BUFFER) {
            continue;
        }
        switch (symbol->role) {
        case GF_ROLE_IN:
            *bound = (gf_bound){.kind = GF_BOUND_INPUT, .input = inputs->data, .input_bytes = inputs->size};
            inputs++;
            break;
        case GF_ROLE_INOUT:
            *bound = (gf_bound){.kind = GF_BOUND_INOUT,
                                .input = inputs->data,
                                .input_bytes = inputs->size,
                                .output = outputs->data,
                                .output_bytes = outputs->capacity};
            inputs++;
            outputs++;
            break;
        case GF_ROLE_OUT:
            *bound = (gf_bound){.kind = GF_BOUND_OUTPUT, .output = outputs->data, .output_bytes = outputs->capacity};
            outputs++;
            break;
        case GF_ROLE_SCRATCH:
            break;
        }
        bound++;
    }
}

static bool place_params(const gf_tree *tree, const gf_run_options *options, gf_value *params, gf_diags *diags) {
    for (size_t k = 0; k < options->param_count; k++) {
        const gf_run_param *given = &options->params[k];
        const char *name = given->name != NULL ? given->name : "";
        const gf_symbol *symbol = gf_tree_find(tree, name);
        if (symbol == NULL || symbol->kind != GF_SYMBOL_PARAM) {
            return gf_fail(diags, GF_CODE_BIND_NAME, GF_NO_SPAN, "program `%s` has no param `%s`", tree->name, name);
        }
        size_t index = 0;
        while (gf_tree_nth(tree, GF_SYMBOL_PARAM, index) != symbol) {
            index++;
        }
        params[index] = (gf_value){.type = given->type, .bits = given->bits};
    }
    return true;
}

static void tell_sizes(const gf_job *job, gf_output *outputs) {
    for (size_t i = 0; i < job->buffer_count; i++) {
        gf_role role = job->buffers[i].symbol->role;
        if (role == GF_ROLE_INOUT || role == GF_ROLE_OUT) {
            outputs->size = job->buffers[i].back_bytes;
            outputs++;
        }
    }
}

static bool run_planned(gf_job *job, const gf_program *program, gf_dispatch_fn *dispatch, void *user, gf_stats *stats,
                        gf_diags *diags) {
    gf_planned planned = {0};
    gf_profile profile = {0};
    gf_plan_options options = {0};
    if (job->options.plan != NULL) {
        size_t size = job->options.plan->size;
        memcpy(&options, job->options.plan, size == 0 || size > sizeof options ? sizeof options : size);
    }
    options.size = sizeof options;
    options.many_passes = options.many_passes || job->max_passes > 1;
    /* The plan holds the program, and holding is counting: no one else sees a difference. */
    bool done = gf_planned_init(&planned, (gf_program *)(uintptr_t)program, &options, diags) &&
                gf_run_over(job, &planned, dispatch, user, stats, &profile, diags);
    gf_free(profile.entries);
    gf_planned_finish(&planned);
    return done;
}

static bool run_arguments(const gf_program *program, const arguments *given, const gf_run_options *options,
                          gf_dispatch_fn *dispatch, void *user, gf_output *outputs, gf_stats *stats, gf_diags *diags) {
    gf_job job = {.options = *options, .begin = gf_clock_seconds()};
    gf_request request = {.program = program, .params = given->params, .bound = given->bound, .outputs_required = true};
    gf_cancel_link link = {0};
    gf_float_mode mode;
    job.stop.deadline = options->timeout > 0 ? job.begin + options->timeout : 0;
    gf_cancel_attach(options->cancel, &link, &job.stop);
    gf_float_mode_enter(&mode);
    bool done = place_params(program->checked, options, given->params, diags) && gf_job_prepare(&job, &request, diags);
    gf_float_mode_leave(&mode);
    stats->strategy = GF_STRATEGY_HOST;
    (void)snprintf(stats->reason, sizeof stats->reason, "a dispatch function runs the segments");
    (void)snprintf(stats->device, sizeof stats->device, "callback");
    done = done && run_planned(&job, program, dispatch, user, stats, diags);
    gf_cancel_detach(options->cancel, &link);
    if (done) {
        tell_sizes(&job, outputs);
        gf_counters_add(stats, true, job.compare && stats->passes < job.max_passes);
    }
    stats->seconds_wall = gf_clock_seconds() - job.begin;
    gf_job_finish(&job);
    return done;
}

static bool check_call(const gf_program *program, const gf_bytes *inputs, size_t input_count, gf_dispatch_fn *dispatch,
                       const gf_output *outputs, size_t output_count, gf_diags *diags) {
    if (program->checked == NULL) {
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                       "program `%s` was parsed only and not checked: it can be printed and nothing else",
                       gf_program_name(program));
    }
    if (dispatch == NULL || (inputs == NULL && input_count > 0) || (outputs == NULL && output_count > 0)) {
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                       "gf_run_split needs a dispatch function and lists as long as their counts");
    }
    return check_counts(program->checked, input_count, output_count, diags);
}

static bool run_checked(const gf_program *program, const gf_bytes *inputs, size_t input_count,
                        const gf_run_options *options, gf_dispatch_fn *dispatch, void *user, gf_output *outputs,
                        size_t output_count, gf_stats *stats, gf_diags *diags) {
    gf_run_options whole;
    if (!check_call(program, inputs, input_count, dispatch, outputs, output_count, diags) ||
        !gf_options_read(&whole, options, diags)) {
        return false;
    }
    if (whole.strategy != GF_STRATEGY_AUTO && whole.strategy != GF_STRATEGY_HOST) {
        return gf_fail(diags, GF_CODE_STRATEGY, GF_NO_SPAN,
                       "strategy %s cannot be had: a dispatch function runs one segment at a time, which is host",
                       gf_strategy_name(whole.strategy));
    }
    if (whole.checked || whole.check_races) {
        return gf_fail(diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN,
                       "a dispatch function has no checked mode; check segments in it, or run on a device");
    }
    arguments given = {
        .params = gf_calloc(gf_tree_count(program->checked, GF_SYMBOL_PARAM), sizeof *given.params),
        .bound = gf_calloc(gf_tree_count(program->checked, GF_SYMBOL_BUFFER), sizeof *given.bound),
    };
    bool done = given.params != NULL && given.bound != NULL;
    if (done) {
        place_buffers(program->checked, inputs, outputs, given.bound);
        done = run_arguments(program, &given, &whole, dispatch, user, outputs, stats, diags);
    } else {
        (void)gf_fail_memory(diags);
    }
    gf_free(given.params);
    gf_free(given.bound);
    return done;
}

bool gf_run_split(const gf_program *program, const gf_bytes *inputs, size_t input_count, const gf_run_options *options,
                  gf_dispatch_fn *dispatch, void *user, gf_output *outputs, size_t output_count, gf_stats *stats,
                  gf_diags *diags) {
    gf_stats told;
    gf_stats_begin(&told);
    gf_diags *inner = gf_diags_create();
    bool done = false;
    if (inner == NULL) {
        (void)gf_fail_memory(diags);
        told.status = GF_STATUS_DEVICE;
    } else if (program == NULL) {
        told.status = GF_STATUS_USAGE;
    } else {
        done = run_checked(program, inputs, input_count, options, dispatch, user, outputs, output_count, &told, inner);
        told.status = done ? GF_STATUS_OK : gf_diags_status(inner);
    }
    gf_diags_take(diags, inner);
    gf_diags_destroy(inner);
    if (stats != NULL) {
        *stats = told;
    }
    return done;
}
