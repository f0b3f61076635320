/* Which form of a program suits a launch. What the plan and the sizes say is weighed first; something is compiled where
 * it will be run, or where that is not enough to say. */
#include "backend/cuda/kernel.h"
#include "backend/cuda/key.h"
#include "backend/cuda/measure.h"
#include "backend/cuda/weigh.h"
#include "base/memory.h"
#include "ir/program.h"
#include "plan/dump.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CLOSE 1.05 /* forms that differ by less are taken for equal until more is known of them */
#define NEVER 1e30 /* seconds of what cannot be had */

struct gf_cuda_chosen {
    gf_cuda_key *key;
    gf_backend_choice choice;
};

typedef struct choosing {
    gf_cuda_device *device;
    gf_cuda_kernel *kernel;
    const gf_backend_launch *asked;
    gf_backend_choice *choice;
    gf_cuda_sizes sizes;
    gf_cuda_load load;
    gf_cuda_figures figures;
    gf_cuda_figures_origin origin;
    gf_cuda_grid grid;
    gf_cuda_costs costs;
    bool by_steps; /* if by segments */
    bool may_be_native;
    char no_native[120]; /* why not; "" where nobody has to know */
} choosing;

/* ---- text ---- */

static void say(choosing *c, gf_strategy strategy) {
    c->choice->strategy = strategy;
    c->choice->why[0] = '\0';
}

static void add(choosing *c, const char *format, ...) GF_PRINTF(2, 3);
static void add(choosing *c, const char *format, ...) {
    char *why = c->choice->why;
    size_t used = strlen(why);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why + used, sizeof c->choice->why - used, format, arguments);
    va_end(arguments);
}

static const char *plural(double count) {
    return count < 1.5 ? "" : "s";
}

static void add_one_launch(choosing *c, const char *verb, double seconds) {
    char each[16], all[16];
    if (seconds >= NEVER) {
        add(c, "as one kernel the driver does not take it");
        return;
    }
    add(c, "%.0f grid barrier%s of %s (%u block%s of %u) %s %s", c->load.barriers, plural(c->load.barriers),
        gf_cuda_spell_seconds(c->costs.barrier, each), c->grid.blocks, plural(c->grid.blocks), c->grid.threads, verb,
        gf_cuda_spell_seconds(seconds, all));
}

static void add_kernels(choosing *c, const char *verb) {
    char each[16], all[16], turn[16];
    if (c->costs.resident >= NEVER) {
        add(c, "the driver has no graphs with loops");
        return;
    }
    add(c, "%.0f kernel%s of %s", c->load.kernels + c->load.idle, plural(c->load.kernels + c->load.idle),
        gf_cuda_spell_seconds(c->costs.kernel, each));
    if (c->load.loops > 0) {
        add(c, " and %.0f loop turn%s of %s", c->load.turns, plural(c->load.turns),
            gf_cuda_spell_seconds(c->costs.turn, turn));
    }
    add(c, " %s %s", verb, gf_cuda_spell_seconds(c->costs.resident, all));
}

/* What has decided, with the other that came next. */
static void explain(choosing *c, gf_strategy strategy) {
    char text[16];
    double one = strategy == GF_STRATEGY_PERSISTENT || !c->may_be_native ? c->costs.persistent : c->costs.native;
    uint64_t values = gf_plan_carried_bytes(c->kernel->plan);
    say(c, strategy);
    if (c->no_native[0] != '\0') {
        add(c, "%s; ", c->no_native);
    }
    if (strategy == GF_STRATEGY_RESIDENT) {
        add_kernels(c, "take");
        add(c, ", ");
        add_one_launch(c, "would", one);
    } else {
        add_one_launch(c, "take", one);
        add(c, ", ");
        add_kernels(c, "would");
    }
    if (c->costs.work > 0.1 * (c->costs.resident < NEVER ? c->costs.resident : one)) {
        add(c, ", %s for the bytes in each", gf_cuda_spell_seconds(c->costs.work, text));
    }
    if (values > 0 && strategy == GF_STRATEGY_NATIVE) {
        add(c, "; %" PRIu64 " bytes of each invocation stay in registers", values);
    }
    add(c, "%s%s", c->load.is_guessed ? "; turns guessed" : "",
        c->origin == GF_CUDA_FIGURES_DEFAULT ? "; by figures of an H200, as measuring failed" : "");
}

/* ---- what can be had ---- */

static uint64_t group_count(const gf_backend_launch *asked) {
    return asked->groups[0] * asked->groups[1] * asked->groups[2];
}

/* Even with the fewest registers. */
static bool may_fit(choosing *c) {
    const gf_cuda_facts *facts = &c->device->facts;
    const uint32_t *size = c->kernel->plan->program->checked->kernel.workgroup;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    uint64_t most = (uint64_t)facts->sms * (uint64_t)facts->threads_per_sm / threads, groups = group_count(c->asked);
    if (groups > most) {
        (void)snprintf(c->no_native, sizeof c->no_native,
                       "the grid has %" PRIu64 " workgroup%s, and no more than %" PRIu64 " can be resident at once",
                       groups, groups == 1 ? "" : "s", most);
    }
    return groups <= most;
}

/* The whole plan in one kernel, compiled; NULL where the driver takes it not. */
static const gf_cuda_code *look_at_whole(choosing *c, bool native, gf_diags *diags) {
    gf_backend_launch asked = *c->asked;
    asked.keep_shares = !native;
    gf_ptx_options options = gf_cuda_launch_options(c->kernel, &asked);
    return gf_cuda_code_get(c->kernel, &options, diags);
}

/* Where each invocation keeps its thread, and by the compiled kernel. */
static bool fits(choosing *c, const gf_cuda_code *code) {
    uint64_t groups = group_count(c->asked), most = gf_cuda_code_groups(c->kernel, code);
    if (groups > most) {
        (void)snprintf(c->no_native, sizeof c->no_native,
                       "the grid has %" PRIu64 " workgroup%s, and %" PRIu64
                       " can be resident at once (%d registers, %d blocks of %u on each of %d)",
                       groups, groups == 1 ? "" : "s", most, code->registers, code->blocks_per_sm, code->threads,
                       c->device->facts.sms);
    }
    return groups <= most;
}

/* ---- weighing ---- */

static void guess_grid(choosing *c) {
    uint64_t most = 2 * (uint64_t)c->device->facts.sms, wanted = c->load.items / 1024 + (c->load.items % 1024 != 0);
    wanted = wanted < most ? wanted : most;
    c->grid = (gf_cuda_grid){.threads = 1024, .blocks = wanted > 0 ? (unsigned)wanted : 1};
}

static void know_grid(choosing *c, const gf_cuda_code *code) {
    uint64_t most = (uint64_t)code->blocks_per_sm * (uint64_t)c->device->facts.sms;
    uint64_t wanted = c->load.items / code->threads + (c->load.items % code->threads != 0);
    uint64_t groups = group_count(c->asked);
    wanted = code->text.by_group && groups > wanted ? groups : wanted;
    wanted = wanted < most ? wanted : most;
    c->grid.threads = code->threads;
    c->grid.blocks = wanted > 0 ? (unsigned)wanted : 1;
    c->grid.resident = (unsigned)code->blocks_per_sm * code->threads;
    c->grid.spilled = code->spilled;
}

/* The fewest threads that a kernel with a segment leaves a multiprocessor. */
static void know_stages(choosing *c) {
    gf_ptx_options options = gf_cuda_launch_options(c->kernel, c->asked);
    options.native = false;
    const gf_cuda_stages *stages = c->by_steps ? NULL : gf_cuda_stages_get(c->kernel, &options, c->asked, NULL);
    unsigned least = c->by_steps ? c->grid.resident : 0; /* of a step as of the whole plan */
    for (size_t i = 0; stages != NULL && i < stages->text.stage_count; i++) {
        unsigned resident = (unsigned)stages->blocks_per_sm[i] * stages->text.stages[i].threads;
        bool counts = stages->text.stages[i].segment != NULL;
        least = counts && (least == 0 || resident < least) ? resident : least;
    }
    c->grid.stage_resident = least;
}

/* And the driver has none. */
static bool needs_loops(const choosing *c) {
    return c->load.loops > 0 && !c->by_steps && !gf_cuda_has_loops(&c->device->context, NULL);
}

static void weigh(choosing *c) {
    const gf_cuda_facts *facts = &c->device->facts;
    c->costs = gf_cuda_weigh(&c->load, &c->figures, facts, &c->grid);
    c->costs.native = c->may_be_native ? c->costs.native : NEVER;
    if (needs_loops(c)) {
        c->costs.resident = NEVER;
    }
}

static double cost_of_one(const choosing *c) {
    return c->costs.native < c->costs.persistent ? c->costs.native : c->costs.persistent;
}

/* In one launch, or not: first by what is known without compiling, then by what the driver has made of it. */
static void choose_form(choosing *c) {
    bool keeps = c->kernel->keeps_values;
    c->may_be_native = !keeps || may_fit(c);
    guess_grid(c);
    weigh(c);
    while (cost_of_one(c) <= c->costs.resident * CLOSE) {
        bool native = keeps && c->may_be_native && c->costs.native <= c->costs.persistent;
        const gf_cuda_code *code = look_at_whole(c, native, NULL);
        if (code == NULL || code->blocks_per_sm == 0) {
            c->costs.native = c->costs.persistent = NEVER;
            break;
        }
        know_grid(c, code);
        bool was_native = native;
        if (native && !fits(c, code)) {
            c->may_be_native = false;
        }
        weigh(c);
        if (c->may_be_native || !was_native) {
            break;
        }
        guess_grid(c); /* the other form is another kernel */
        weigh(c);
    }
    bool is_poor = c->grid.resident > 0 && (c->grid.resident < GF_CUDA_BUSY_THREADS || c->grid.spilled > 0);
    if (is_poor && cost_of_one(c) > c->costs.resident && c->costs.resident < NEVER) {
        know_stages(c);
        weigh(c);
    }
    if (c->costs.resident < cost_of_one(c)) {
        explain(c, GF_STRATEGY_RESIDENT);
    } else if (!keeps || c->costs.native <= c->costs.persistent) {
        explain(c, GF_STRATEGY_NATIVE);
    } else {
        explain(c, GF_STRATEGY_PERSISTENT);
    }
}

static bool choose_any(choosing *c) {
    if (c->load.is_single) {
        say(c, GF_STRATEGY_NATIVE);
        add(c, "one launch needs no grid barrier");
        return true;
    }
    if (!c->device->facts.cooperative) {
        say(c, GF_STRATEGY_RESIDENT);
        add(c, "by segments: the device has no cooperative launches, and so no grid barrier");
        return true;
    }
    c->figures = gf_cuda_figures_get(c->device, &c->origin);
    choose_form(c);
    return true;
}

/* ---- what was asked for ---- */

static bool take_native(choosing *c) {
    say(c, GF_STRATEGY_NATIVE);
    if (!c->device->facts.cooperative && !c->load.is_single) {
        add(c, "the device has no cooperative launches, and so no grid barrier");
        return false;
    }
    if (c->load.is_single) {
        add(c, "one launch needs no grid barrier");
        return true;
    }
    if (!c->kernel->keeps_values) {
        add(c, "nothing stays with an invocation across barriers, so that the grid may be of any size");
        return true;
    }
    bool fit = may_fit(c);
    const gf_cuda_code *code = fit ? look_at_whole(c, true, NULL) : NULL;
    fit = fit && (code == NULL || fits(c, code)); /* what the driver does not take the launch will tell */
    c->choice->is_too_large = !fit;
    if (!fit) {
        add(c, "%s", c->no_native);
    } else if (code != NULL) {
        add(c, "%" PRIu64 " of at most %" PRIu64 " workgroups are resident, with %d registers for each invocation",
            group_count(c->asked), gf_cuda_code_groups(c->kernel, code), code->registers);
    }
    return fit;
}

static bool take_persistent(choosing *c) {
    say(c, GF_STRATEGY_PERSISTENT);
    if (!c->device->facts.cooperative && !c->load.is_single) {
        add(c, "the device has no cooperative launches, and so no grid barrier");
        return false;
    }
    add(c, c->load.is_single ? "one launch needs no grid barrier, and there is no other segment to keep a share for"
           : !c->kernel->keeps_values
               ? "nothing stays with an invocation across barriers: it is the launch that native is"
               : "each block keeps its share of the workgroups across barriers");
    return true;
}

static bool take_resident(choosing *c) {
    say(c, GF_STRATEGY_RESIDENT);
    if (needs_loops(c)) {
        add(c, "the driver has no graphs with loops, as CUDA 12.4 and later have");
        return false;
    }
    add(c, c->load.is_single ? "one segment alone"
                             : "segments follow each other on the device, which decides itself what comes next");
    return true;
}

static bool choose_anew(choosing *c, gf_strategy wanted) {
    const gf_cuda_facts *facts = &c->device->facts;
    c->sizes = (gf_cuda_sizes){.plan = c->kernel->plan, .asked = c->asked};
    gf_cuda_load_options options = {.passes = c->asked->max_passes > 1,
                                    .compare = c->asked->compare,
                                    .tracked = c->kernel->tracked,
                                    .lists = c->kernel->lists,
                                    .multiprocessors = (uint64_t)facts->sms,
                                    .resident_threads = (uint64_t)facts->threads_per_sm};
    gf_ptx_options launched = gf_cuda_launch_options(c->kernel, c->asked);
    options.by_steps = c->by_steps = gf_cuda_goes_by_steps(c->kernel, &launched, c->asked);
    c->load = gf_cuda_load_of(&c->sizes, &options);
    switch (wanted) {
    case GF_STRATEGY_AUTO:
        return choose_any(c);
    case GF_STRATEGY_NATIVE:
        return take_native(c);
    case GF_STRATEGY_PERSISTENT:
        return take_persistent(c);
    case GF_STRATEGY_RESIDENT:
        return take_resident(c);
    case GF_STRATEGY_HOST:
        break;
    }
    return false;
}

/* ---- what was chosen last ---- */

static bool choose_entered(choosing *c, gf_strategy wanted) {
    bool can = false;
    if (gf_cuda_enter(&c->device->context, NULL)) {
        can = choose_anew(c, wanted);
        gf_cuda_leave(&c->device->context);
    }
    return can;
}

/* The same sizes are looked at once: a run that takes microseconds has no time for it. */
static bool choose_or_remember(choosing *c, gf_strategy wanted) {
    if (gf_cuda_is_lost(&c->device->context)) {
        return false;
    }
    struct gf_cuda_chosen *last = c->kernel->chosen[wanted];
    if (last != NULL && gf_cuda_key_fits(last->key, c->asked)) {
        *c->choice = last->choice;
        return true;
    }
    if (!choose_entered(c, wanted)) {
        return false; /* what cannot be had may be had later */
    }
    struct gf_cuda_chosen *now = gf_malloc(sizeof *now);
    if (now != NULL) {
        *now = (struct gf_cuda_chosen){.key = gf_cuda_key_make(c->asked), .choice = *c->choice};
        gf_cuda_chosen_free(last);
        c->kernel->chosen[wanted] = now;
    }
    return true;
}

void gf_cuda_chosen_free(struct gf_cuda_chosen *chosen) {
    if (chosen != NULL) {
        gf_free(chosen->key);
        gf_free(chosen);
    }
}

/* ---- from outside ---- */

bool gf_cuda_kernel_choose(gf_cuda_device *device, gf_cuda_kernel *kernel, const gf_backend_launch *launch,
                           gf_strategy wanted, gf_backend_choice *choice) {
    bool done = false;
    *choice = (gf_backend_choice){.strategy = wanted};
    (void)pthread_mutex_lock(&kernel->lock);
    gf_cuda_kernel *used = launch->checked ? gf_cuda_kernel_careful(kernel, NULL) : kernel;
    if (used != NULL) {
        choosing c = {.device = device, .kernel = used, .asked = launch, .choice = choice};
        done = choose_or_remember(&c, wanted);
    }
    (void)pthread_mutex_unlock(&kernel->lock);
    return done;
}
