/* A program made ready for a device: compiled whole, and split, each when first asked for. */
#ifndef GF_RUN_KERNEL_H
#define GF_RUN_KERNEL_H

#include "dev/device.h"
#include "ir/program.h"
#include "run/planned.h"
#include <gridfence/run.h>
#include <pthread.h>

/* Which plan of a kernel is wanted. */
typedef struct gf_planned_kind {
    bool many_passes;
    bool checked; /* nothing that may go wrong is left out, though nothing comes of it */
} gf_planned_kind;

#define GF_PLANNED_KINDS 4

struct gf_kernel {
    gf_device *device;   /* held */
    gf_program *program; /* held; with another workgroup than the caller's where that was asked for */
    gf_plan_options plan_options;
    gf_scope scope;       /* params and buffers of the program */
    bool may_trap;        /* the program holds a trap or assert */
    pthread_mutex_t lock; /* of what follows; once set it stays */
    void *native[2];      /* for one pass (or a fixpoint), for many of a program without fixpoint */
    gf_planned planned[GF_PLANNED_KINDS];
    bool is_planned[GF_PLANNED_KINDS], is_compiled[GF_PLANNED_KINDS];
    _Atomic(unsigned) references;
};

gf_kernel *gf_kernel_hold(gf_kernel *kernel);
/* NULL with a message. */
void *gf_kernel_native(gf_kernel *kernel, bool many_passes, gf_diags *diags);
const gf_planned *gf_kernel_planned(gf_kernel *kernel, gf_planned_kind kind, bool compiled, gf_diags *diags);

/* A program that is the given one with another workgroup; NULL with a message where that would change results. */
gf_program *gf_override_workgroup(gf_program *program, const uint32_t workgroup[3], gf_diags *diags);

/* A program that repeats until nothing changes; one with a fixpoint is that already. */
gf_program *gf_make_looped(gf_program *program, gf_diags *diags);

#endif
