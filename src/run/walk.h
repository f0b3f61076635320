/* Walking a plan: the tree, the grid registers and the passes, over a function that launches one segment. */
#ifndef GF_RUN_WALK_H
#define GF_RUN_WALK_H

#include "run/planned.h"
#include "run/stats.h"
#include "run/store.h"

typedef struct gf_walk gf_walk;

/* A segment as one run sees it: a program of its own, at one address for the whole run, that carries the present
 * values of its params. */
typedef struct gf_present {
    gf_program *program;
    gf_value *values; /* in the arena of the program */
} gf_present;

/* One launch. The storage of its buffers has been made ready by nobody yet. */
typedef struct gf_segment_launch {
    const gf_segment *segment;
    const gf_present *present;
    gf_geometry geometry; /* not empty */
} gf_segment_launch;

/* Runs a segment and waits. A message goes to `diags`, a trap to walk->result. */
typedef bool gf_segment_fn(gf_walk *walk, const gf_segment_launch *launch, gf_diags *diags);

struct gf_walk {
    gf_job *job;
    const gf_planned *planned;
    gf_store store;
    gf_segment_fn *launch;
    void *user; /* of `launch` */
    gf_stats *stats;
    gf_profile *profile;
    gf_diags *diags;
    gf_diags *inner; /* of the launch going on; made once per run, empty between launches */
    /* What an invocation did wrong in the present stretch: the lowest, so far. It is told where the stretch ends. */
    struct {
        bool is_there;
        uint64_t invocation;
        gf_diags *diags; /* made once per run */
    } held;

    gf_present *presents;
    uint64_t *registers, *registers_at_pass;
    gf_frame frame;
    gf_env env;
    uint64_t pass;            /* from 1 */
    int converged;            /* what converged(c) last said, or -1 */
    bool is_told;             /* why an expression has no value: a load failed, or a check */
    gf_backend_result result; /* of the launch going on */
    gf_float_mode float_mode; /* the caller's, while the walk has its own */
};

/* Zeroed `walk` with job, planned, launch, user, stats, profile and diags set; storage in memory of `device` (NULL: the
 * host's). Runs all passes and hands the results back. Leaves nothing behind. */
bool gf_walk_run(gf_walk *walk, gf_device *device);

/* For nodes.c and walk.c */
bool gf_walk_eval(gf_walk *walk, const gf_expr *expr, uint64_t *bits);
bool gf_walk_size_hidden(gf_walk *walk, uint32_t buffer);
bool gf_walk_reduce(gf_walk *walk, const gf_plan_node *node);
bool gf_walk_scan(gf_walk *walk, const gf_plan_node *node);
bool gf_walk_collective(gf_walk *walk, const gf_plan_node *node);
bool gf_walk_segment(gf_walk *walk, const gf_plan_node *node);
/* Tells what is held, and gives false. */
bool gf_walk_tell_held(gf_walk *walk);
uint64_t *gf_walk_register(gf_walk *walk, const gf_symbol *symbol);

/* As in gf_backend_launch, of a segment with these params. */
const gf_value *gf_walk_forall_from(const gf_segment *segment, const gf_value *params);

#endif
