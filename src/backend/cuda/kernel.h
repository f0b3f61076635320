/* A program compiled for a device: its plan, and the kernels that were wanted of it so far. Read-only once made, but
 * for the list of kernels and the arguments in them: one launch of a kernel at a time.
 *
 *   kernel.c    the plan, and kernels by what they are for
 *   compile.c   one kernel: its text, the driver's compiler, how many blocks fit
 *   stages.c    many of them, and the graph in which they follow each other
 *   graph.c     graphs and what they are made of
 *   steps.c     the graph of one that is launched again and again
 *   launching.h one run: its files are room.c, shape.c and launch.c
 *   key.h       what tells launches of the same sizes
 *   choose.c    which of the two forms suits a launch, by load.h (what it asks for) and weigh.h (what that costs)
 *   report.c    what an invocation did wrong */
#ifndef GF_BACKEND_CUDA_KERNEL_H
#define GF_BACKEND_CUDA_KERNEL_H

#include "backend/cuda/device.h"
#include "emit/ptx/stages.h"

/* Bytes of each thread that a kernel may spill for the sake of more threads on a multiprocessor: values of the whole
 * grid are put away first. */
#define GF_CUDA_FEW_SPILLED 64

/* What the driver has compiled, and its arguments. */
typedef struct gf_cuda_image {
    CUmodule module;
    CUdeviceptr args; /* gf_args */
    uint64_t *words;  /* what stands there */
    bool has_words;
} gf_cuda_image;

/* A graph, and how to launch it. */
typedef struct gf_cuda_graph {
    CUgraph graph;
    CUgraphExec exec; /* NULL: none yet */
    CUevent done;     /* behind its latest launch */
} gf_cuda_graph;

/* The graph of a plan by steps: some of them, and a loop with more. */
typedef struct gf_cuda_steps {
    CUfunction more;  /* the kernel behind them */
    CUdeviceptr sets; /* that the graph is made for, as is what follows */
    unsigned blocks, threads;
    uint64_t shared_bytes;
    uint64_t most; /* steps that a run has taken so far */
    gf_cuda_graph graph;
} gf_cuda_steps;

/* The whole plan in one kernel, launched once, or by steps. */
typedef struct gf_cuda_code {
    struct gf_cuda_code *next;
    gf_ptx_options options; /* that it was made with; tracked is the kernel's */
    gf_ptx_module text;     /* without the text itself */
    gf_cuda_image image;
    CUfunction function;
    unsigned threads; /* of a block */
    int registers;
    int spilled;       /* bytes of each thread */
    int blocks_per_sm; /* that fit at once */
    int near_per_sm;   /* the same with room for buffers that stay near; 0: there is none */
    gf_cuda_steps steps;
} gf_cuda_code;

/* Rows that were long enough for the list, in runs by stages so far. */
typedef enum gf_cuda_pieces {
    GF_CUDA_PIECES_UNKNOWN, /* there was no run */
    GF_CUDA_PIECES_NONE,    /* stages that go through the list are left out, and it has no room */
    GF_CUDA_PIECES_SOME,
} gf_cuda_pieces;

/* The plan as kernels that follow each other, and the graph that was last made of them. */
typedef struct gf_cuda_stages {
    struct gf_cuda_stages *next;
    gf_ptx_options options; /* with the turns of loops that they are laid out for; by gf_malloc */
    gf_ptx_stages text;     /* without the text itself */
    uint64_t text_hash;
    gf_cuda_image image;
    CUfunction *functions; /* by stage */
    int *blocks_per_sm;    /* by stage */
    unsigned *blocks;      /* by stage: of the graph */
    unsigned *across;      /* by stage: of its blocks, those side by side (gf_ptx_stage.by_rows) */
    CUdeviceptr state;     /* of the graph too */
    int spilled;           /* bytes of each thread, of the stage with most */
    gf_cuda_pieces pieces;
    gf_cuda_graph graph;
} gf_cuda_stages;

/* How a launch was carried out, for the next one of the same sizes: a run that takes microseconds has no time to find
 * that out. The fields are those of gf_cuda_launching. */
typedef struct gf_cuda_form {
    struct gf_cuda_key *key; /* NULL: of none */
    gf_cuda_code *code;
    gf_cuda_stages *stages;
    unsigned blocks, threads;
    unsigned *stage_blocks, *stage_across;
    uint64_t shared_bytes, thread_bytes, near_room;
} gf_cuda_form;

typedef enum gf_cuda_form_kind {
    GF_CUDA_FORM_NATIVE,
    GF_CUDA_FORM_SHARES,
    GF_CUDA_FORM_SEGMENTS,
    GF_CUDA_FORMS,
} gf_cuda_form_kind;

typedef struct gf_cuda_kernel {
    gf_cuda_device *device;
    gf_program *program; /* held */
    gf_plan *plan;
    gf_plan_options plan_options;
    size_t program_buffers;
    bool *tracked, *written; /* by plan buffer */
    bool *overwritten;       /* the same: every segment that writes it writes all of it */
    bool *lists;             /* by segment: it may leave rows to those behind it */
    uint32_t *watched;
    size_t watched_count;
    bool may_go_by_steps; /* for some launch */
    bool keeps_values;    /* something stays with an invocation, or its workgroup, across a barrier */
    pthread_mutex_t lock;
    gf_cuda_code *codes;
    gf_cuda_stages *stages;
    struct gf_cuda_kernel *careful; /* for checked runs, of a plan that leaves nothing out; made when first asked for */
    gf_cuda_memory *state;          /* see abi.h; NULL until the first run */
    bool is_ready;                  /* the state is as a run wants it */
    uint64_t *outcome;              /* memory of the host that the device writes */
    CUdeviceptr outcome_address;
    CUevent done;                                     /* behind the last launch */
    struct gf_cuda_chosen *chosen[GF_STRATEGY_COUNT]; /* last time that this was asked for; or NULL */
    gf_cuda_form forms[GF_CUDA_FORMS];
} gf_cuda_kernel;

/* By a plan of these options; NULL: the device's own choice. NULL with a message. Belongs to the device. */
gf_cuda_kernel *gf_cuda_kernel_create(gf_cuda_device *device, gf_program *program, const gf_plan_options *plan,
                                      gf_diags *diags);
void gf_cuda_kernel_destroy(gf_cuda_device *device, gf_cuda_kernel *kernel);
/* What a checked run takes. The kernel is locked. NULL with a message. */
gf_cuda_kernel *gf_cuda_kernel_careful(gf_cuda_kernel *kernel, gf_diags *diags);

/* compile.c: made when first asked for. The kernel is locked and the context entered. NULL with a message. Of the
 * options `threads` and `blocks` are chosen here. */
gf_cuda_code *gf_cuda_code_get(gf_cuda_kernel *kernel, const gf_ptx_options *options, gf_diags *diags);
/* Where in its shared memory the room for buffers that stay near begins. */
uint64_t gf_cuda_code_near_offset(const gf_cuda_code *code);
void gf_cuda_code_destroy(gf_cuda_context *context, gf_cuda_code *code);
/* Workgroups of the program that fit at once where a thread is an invocation. */
uint64_t gf_cuda_code_groups(const gf_cuda_kernel *kernel, const gf_cuda_code *code);

/* Text to a module, with the driver's messages where it takes none of it. */
bool gf_cuda_image_load(gf_cuda_context *context, gf_cuda_image *image, gf_ptx_module *text, gf_diags *diags);
void gf_cuda_image_finish(gf_cuda_context *context, gf_cuda_image *image);

/* stages.c: as gf_cuda_code_get. Loops are laid out as the launch will want them. */
gf_cuda_stages *gf_cuda_stages_get(gf_cuda_kernel *kernel, const gf_ptx_options *options,
                                   const gf_backend_launch *launch, gf_diags *diags);
void gf_cuda_stages_destroy(gf_cuda_context *context, gf_cuda_stages *stages);
/* Into the stream, with so many blocks for each stage. */
bool gf_cuda_stages_launch(gf_cuda_device *device, gf_cuda_stages *stages, CUevent done, CUdeviceptr state,
                           const unsigned *blocks, const unsigned *across, gf_diags *diags);

/* After a run: whether it had long rows. What other runs had decides how the next one is made. */
void gf_cuda_stages_learn(gf_cuda_device *device, gf_cuda_stages *stages, bool has_pieces);

/* ---- graph.c ---- */
typedef bool gf_cuda_fill_graph(void *user, CUgraph graph);
/* Anew, by `fill`; nothing is left where that fails. */
bool gf_cuda_graph_build(gf_cuda_context *context, gf_cuda_graph *graph, CUstream stream, gf_cuda_fill_graph *fill,
                         void *user, gf_diags *diags);
void gf_cuda_graph_drop(const gf_cuda_driver *driver, gf_cuda_graph *graph); /* once it is through */
/* The last node of a graph that is filled; zeros: it has none. */
typedef struct gf_cuda_tail {
    CUgraphNode node;
    bool is_kernel;
} gf_cuda_tail;
/* A kernel of one axis behind it, which it becomes. Where the context has `dependent` it is one that waits by itself
 * (gf_ptx_options.dependent). */
bool gf_cuda_add_kernel(gf_cuda_context *context, CUgraph graph, CUDA_KERNEL_NODE_PARAMS node, gf_cuda_tail *tail,
                        gf_diags *diags);
/* Whether a graph can have loops, with a message; and a loop, as a kernel. */
bool gf_cuda_has_loops(const gf_cuda_context *context, gf_diags *diags);
bool gf_cuda_add_while(gf_cuda_context *context, CUgraph graph, CUgraphConditionalHandle flag, gf_cuda_tail *tail,
                       CUgraph *body, gf_diags *diags);

/* steps.c: whether a launch by segments is better off by steps than by stages, and can be. */
bool gf_cuda_goes_by_steps(gf_cuda_kernel *kernel, const gf_ptx_options *options, const gf_backend_launch *launch);
/* Into the stream, of so many blocks. */
bool gf_cuda_steps_launch(gf_cuda_device *device, gf_cuda_code *code, CUevent done, CUdeviceptr state, unsigned blocks,
                          unsigned threads, uint64_t shared_bytes, gf_diags *diags);
/* After a run: how many steps did something. The next run has as many before the loop. */
void gf_cuda_steps_learn(gf_cuda_device *device, gf_cuda_code *code, uint64_t count);
void gf_cuda_steps_finish(gf_cuda_context *context, gf_cuda_steps *steps);

/* shape.c: what was found out for launches is not so any more. */
void gf_cuda_forms_forget(gf_cuda_kernel *kernel);

/* launch.c: how a launch wants the program compiled. */
gf_ptx_options gf_cuda_launch_options(const gf_cuda_kernel *kernel, const gf_backend_launch *launch);

/* report.c: the state says that an invocation did wrong. True for a trap, which the result then tells. */
bool gf_cuda_report(const gf_cuda_kernel *kernel, const gf_ptx_module *text, const uint64_t *state,
                    const gf_backend_launch *asked, uint64_t barriers, gf_backend_result *result, gf_diags *diags);

/* As the functions of gf_backend that they are named after. */
bool gf_cuda_kernel_launch(gf_cuda_device *device, gf_cuda_kernel *kernel, const gf_backend_launch *launch,
                           gf_backend_result *result, gf_diags *diags);
bool gf_cuda_kernel_choose(gf_cuda_device *device, gf_cuda_kernel *kernel, const gf_backend_launch *launch,
                           gf_strategy wanted, gf_backend_choice *choice);
void gf_cuda_chosen_free(struct gf_cuda_chosen *chosen);
uint64_t gf_cuda_kernel_resident_groups(gf_cuda_device *device, gf_cuda_kernel *kernel);
const gf_plan *gf_cuda_kernel_plan(const gf_cuda_kernel *kernel);
bool gf_cuda_kernel_is_sure(const gf_cuda_kernel *kernel);

#endif
