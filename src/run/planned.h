/* A plan made ready to be walked, and to be launched on a device: read-only once made, shared by runs. */
#ifndef GF_RUN_PLANNED_H
#define GF_RUN_PLANNED_H

#include "dev/device.h"
#include "plan/plan.h"
#include "run/scope.h"

/* What does not change from launch to launch of one segment. */
typedef struct gf_planned_segment {
    gf_scope scope; /* of the segment's own program */
    void *kernel;   /* compiled for `device`; NULL: not yet, or no device */
} gf_planned_segment;

typedef struct gf_planned {
    gf_plan *plan;  /* owned */
    gf_scope scope; /* params of the program, registers and buffers of the plan */
    gf_planned_segment *segments;
    bool *written;     /* by buffer: some segment or node writes it */
    uint32_t *watched; /* what a pass must leave as it found it: of a fixpoint, else everything written and kept */
    size_t watched_count;
    size_t most_buffers; /* of one segment */
    gf_device *device;   /* held once compiled */
} gf_planned;

/* Fills a zeroed struct; gf_planned_finish is due in any case. */
bool gf_planned_init(gf_planned *planned, gf_program *program, const gf_plan_options *options, gf_diags *diags);
bool gf_planned_compile(gf_planned *planned, gf_device *device, gf_diags *diags);
void gf_planned_finish(gf_planned *planned);

#endif
