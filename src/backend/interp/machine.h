/* One launch while it runs. Nothing here outlives gf_interp_launch. */
#ifndef GF_INTERP_MACHINE_H
#define GF_INTERP_MACHINE_H

#include "backend/interp/code.h"
#include "backend/interp/interp.h"

/* How many turns of loops pass between two looks at launch->stop. */
#define GF_BUDGET 8192

typedef enum gf_outcome {
    GF_OUTCOME_END,     /* came to the stop */
    GF_OUTCOME_ENDED,   /* the invocation has ended its pass */
    GF_OUTCOME_STOPPED, /* nothing may run any more: m->stop_reason or m->no_memory says why, or the run is over */
} gf_outcome;

typedef enum gf_actor_kind { GF_ACTOR_GRID, GF_ACTOR_GROUP, GF_ACTOR_LANE, GF_ACTOR_ITEM } gf_actor_kind;

/* Who does something: for messages, traps and races. */
typedef struct gf_actor {
    gf_actor_kind kind;
    uint32_t forall; /* of ITEM: which execution of a forall in this stretch, from 1 */
    uint64_t group;  /* linear */
    uint64_t index;  /* LANE: linear lid; ITEM: i - a */
} gf_actor;

typedef struct gf_array {
    unsigned char *data;
    uint64_t count;
} gf_array;

typedef enum gf_fault_kind { GF_FAULT_NONE, GF_FAULT_BOUNDS, GF_FAULT_DIVISION } gf_fault_kind;

/* The error of checked mode that counts: of the lowest invocation, in the first stretch that has one. */
typedef struct gf_fault {
    gf_fault_kind kind;
    gf_actor actor;
    uint64_t order; /* linear id */
    uint32_t where;
    const gf_symbol *array; /* of BOUNDS */
    gf_type index_type;
    uint64_t index, count;
    uint64_t item; /* of an ITEM: i, and its type */
    gf_type item_type;
} gf_fault;

typedef struct gf_races gf_races;

typedef struct gf_pending_copy {
    uint64_t lane, group;
    const gf_copy_use *use;
    uint64_t target, source, count;
    uint32_t where;
} gf_pending_copy;

typedef struct gf_machine {
    uint64_t *regs;
    gf_array *arrays;
    const gf_module *code;
    int64_t budget;
    unsigned mute; /* > 0: accesses and divisions are no errors */
    const gf_tree *tree;
    const gf_launch *launch;
    gf_launch_result *result;
    gf_diags *diags;
    uint64_t group_size, group_count;
    uint32_t workgroup[3];

    gf_actor actor;
    uint64_t lane; /* index of the invocation in what is kept per invocation */
    uint64_t wid[3];
    uint64_t extent[3]; /* lanes of the present workgroup that exist, per axis */
    uint32_t epoch;     /* workgroup barriers that the present workgroup has met in this stretch */
    uint64_t stretch;   /* grid barriers met in this run */
    uint32_t foralls;   /* executed in this stretch */
    uint64_t item_from; /* of the present forall: a, and the type of i */
    gf_type item_type;
    bool worked; /* since the last grid barrier */

    uint64_t *grid_frames, *group_frames; /* registers */
    unsigned char *grid_bytes, *group_bytes, *temporary, *shared;
    uint64_t *group_regs;
    unsigned char *ended; /* per invocation; NULL: none can end early */
    unsigned char *left;  /* per workgroup */
    uint64_t *given_group, *given_grid, *group_results;
    uint64_t *before_lanes, *before_stretch; /* values of `assigned` */
    void **snapshots;

    gf_fault fault;
    gf_races *races; /* NULL: not asked for */
    gf_pending_copy *pending;
    size_t pending_count, pending_room;
    gf_stop_reason stop_reason;
    bool no_memory;
    bool has_said; /* a converged(c) was met: what it said counts, whatever the passes changed */
} gf_machine;

/* machine.c. Both clean up after themselves; close takes a machine that init gave up on. */
bool gf_machine_init(gf_machine *m, const gf_module *code, const gf_tree *tree, const gf_launch *launch,
                     gf_launch_result *result, gf_diags *diags);
void gf_machine_close(gf_machine *m);

/* execute.c: runs instructions from `start` to a stop. */
gf_outcome gf_execute(gf_machine *m, uint32_t start);
uint64_t gf_turns(gf_type type, uint64_t from, uint64_t to, uint64_t step);

/* schedule.c: one pass. END: it came to its end; STOPPED: it did not, or the run is over with it. */
gf_outcome gf_run_pass(gf_machine *m);
/* Whether to stop now; looks at the clock. */
bool gf_must_stop(gf_machine *m);

/* access.c: what is done with every check. They give false where the invocation ends by an error. */
bool gf_watched_load(gf_machine *m, const gf_instr *instr);
bool gf_watched_store(gf_machine *m, const gf_instr *instr);
bool gf_watched_atomic(gf_machine *m, const gf_instr *instr);
bool gf_check_divisor(gf_machine *m, const gf_instr *instr);
uint64_t gf_atomic_apply(const gf_atomic_use *use, unsigned char *element, uint64_t operand, uint64_t desired);
bool gf_copy(gf_machine *m, const gf_instr *instr);
void gf_wait(gf_machine *m, uint32_t tag);
void gf_renew_copies(gf_machine *m); /* at a barrier of the present workgroup */
void gf_trap_here(gf_machine *m, const gf_instr *instr);
uint64_t gf_linear_id(const gf_machine *m, const gf_actor *actor);

/* report.c: says what went wrong, if anything did; false then. */
bool gf_report(gf_machine *m);
void gf_name_actor(const gf_machine *m, const gf_actor *actor, gf_type item_type, uint64_t item, char *text,
                   size_t size); /* item: of an ITEM, i and its type */

#endif
