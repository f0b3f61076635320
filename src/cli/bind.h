/* From options to data: params, sizes and the contents of buffers. */
#ifndef GF_CLI_BIND_H
#define GF_CLI_BIND_H

#include "cli/options.h"
#include "run/scope.h"

typedef struct gf_cli_buffer {
    const gf_symbol *symbol;
    gf_array initial; /* what was given for an `in` or `inout`; has_initial */
    gf_array result;  /* what a run writes of an `inout` or `out`; made by gf_cli_data_size */
    bool has_initial, has_size;
    uint64_t size;     /* of --size */
    const char *graph; /* the option that filled it from a file of edges, or NULL */
    gf_buffer *device; /* for a scratch buffer declared `[]` */
} gf_cli_buffer;

/* Buffers and params in the order of their declaration. */
typedef struct gf_cli_data {
    gf_program *program; /* borrowed */
    const gf_tree *tree;
    gf_cli_buffer *buffers;
    uint64_t *lengths; /* elements; GF_LENGTH_UNKNOWN */
    gf_value *params;  /* type NONE: not known */
    size_t buffer_count, param_count;
    gf_scope scope;
    gf_geometry geometry;
} gf_cli_data;

/* Reads everything that the options name. `partly`: what is not given stays unknown (for plans); otherwise it is an
 * error that lists all of it, and results have room. gf_cli_data_free is due in any case. */
bool gf_cli_data_load(gf_cli_data *data, gf_program *program, const gf_cli_options *options, bool partly,
                      gf_diags *diags);
void gf_cli_data_free(gf_cli_data *data);
/* Fresh results from the inputs, and everything bound. */
bool gf_cli_data_bind(gf_cli_data *data, gf_bindings *bindings, gf_device *device, gf_diags *diags);

#endif
