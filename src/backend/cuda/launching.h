/* One launch on its way: what the files that carry it out share.
 *
 *   room.c     hidden memory, copies, arguments
 *   shape.c    how many blocks of how many threads
 *   launch.c   passes, waiting, the outcome */
#ifndef GF_BACKEND_CUDA_LAUNCHING_H
#define GF_BACKEND_CUDA_LAUNCHING_H

#include "backend/cuda/kernel.h"
#include "backend/cuda/sizes.h"
#include "backend/cuda/zeros.h"
#include "base/stop.h"

typedef struct gf_cuda_launching {
    gf_cuda_kernel *kernel;
    gf_cuda_device *device;
    const gf_cuda_driver *driver;
    gf_cuda_code *code;     /* the whole plan in one kernel, launched once or by steps, or */
    gf_cuda_stages *stages; /* in many */
    const gf_ptx_module *text;
    gf_cuda_image *image;
    const gf_backend_launch *asked;
    gf_backend_result *result;
    gf_diags *diags;
    gf_stop *stop;
    gf_cuda_memory **hidden; /* by plan buffer */
    gf_cuda_memory **snapshots;
    uint64_t *counts;     /* by plan buffer */
    gf_cuda_range *fresh; /* memory that is to be zeros: the state, and by plan buffer */
    size_t fresh_count;
    gf_cuda_memory **spent; /* what is cleaned behind the launch, as in `fresh` */
    size_t spent_count;
    gf_cuda_memory *block_memory, *thread_memory, *list_memory;
    bool has_pieces;       /* some launch by stages had rows that were long enough for the list */
    uint64_t most_steps;   /* of any launch, by steps */
    uint64_t list_pieces;  /* of rows that the grid shares, that there is room for */
    uint64_t thread_bytes; /* of all threads of the one kernel, or at most of any stage */
    uint64_t *words;
    unsigned blocks;        /* of the one kernel, or the most of any stage */
    unsigned threads;       /* of a block of the one kernel */
    unsigned *stage_blocks; /* by stage; of the kernel's form, as is what follows */
    unsigned *stage_across; /* by stage: of these, side by side where they have tiles of rows */
    uint64_t shared_bytes;  /* of a block of the one kernel, given at the launch */
    uint64_t *items;        /* by segment of the plan, for the one kernel; UINT64_MAX where only the device knows */
    uint64_t near_room;     /* abi.h; 0: buffers that may stay near do not */
    uint64_t bytes_hidden;
} gf_cuda_launching;

/* room.c. False with a message; gf_cuda_give_room is due in any case. */
bool gf_cuda_take_room(gf_cuda_launching *run);
void gf_cuda_give_room(gf_cuda_launching *run);
/* Memory that began as zeros, and that nobody looks at once the launch is through. Where more launches come it is
 * wanted yet. */
void gf_cuda_find_spent(gf_cuda_launching *run);
/* The arguments, sent where they differ from those that are there. */
bool gf_cuda_send_arguments(gf_cuda_launching *run, uint64_t passes);

/* shape.c: the blocks, and what else follows from the sizes; as last time for the same ones, or found out and kept. */
bool gf_cuda_recall_form(gf_cuda_launching *run);
bool gf_cuda_choose_form(gf_cuda_launching *run);

#endif
