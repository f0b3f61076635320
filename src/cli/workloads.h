/* The workloads of `gridfence bench`: programs at set sizes, their data, and what must come out. */
#ifndef GF_CLI_WORKLOADS_H
#define GF_CLI_WORKLOADS_H

#include "cli/cli.h"

#define GF_WORKLOAD_BUFFERS 6

typedef struct gf_workload_buffer {
    const char *name;
    gf_buffer_role role;
    void *data;     /* what a run reads and writes */
    void *initial;  /* of IN and INOUT; owned like the others */
    void *expected; /* of INOUT and OUT: computed by plain C, byte for byte; NULL: not compared */
    size_t bytes;
} gf_workload_buffer;

typedef struct gf_workload_data {
    uint32_t n; /* the param of that name */
    gf_workload_buffer buffers[GF_WORKLOAD_BUFFERS];
    size_t buffer_count;
} gf_workload_data;

typedef struct gf_workload {
    const char *name, *size, *text;
    /* Makes inputs and what is expected. False with a message; gf_workload_free is due in any case. */
    bool (*make)(gf_workload_data *data, gf_diags *diags);
} gf_workload;

const gf_workload *gf_workload_get(size_t index); /* NULL past the end */
void gf_workload_free(gf_workload_data *data);

#endif
