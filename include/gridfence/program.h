/* gridfence/program.h - programs: made from text (here) or by calls (build.h), checked, looked at, printed.
 *
 * A program is read-only once made and may be shared between threads. It is reference-counted: destroying it drops the
 * caller's reference; kernels and plans hold theirs. */
#ifndef GRIDFENCE_PROGRAM_H
#define GRIDFENCE_PROGRAM_H

#include <gridfence/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_program gf_program;

/* Parses and checks `length` bytes of text (need not end in 0, is copied). `name` is the file name for messages.
 * NULL if the program is wrong, with all errors found in the sink; warnings may be there on success too. */
GF_API gf_program *gf_program_parse(const char *text, size_t length, const char *name, gf_diags *diags);
/* Parses only: for formatters. Such a program can be printed, nothing else. */
GF_API gf_program *gf_program_parse_only(const char *text, size_t length, const char *name, gf_diags *diags);
GF_API void gf_program_destroy(gf_program *program);

/* Canonical text, comments kept: gf_program_parse of it gives the same program. The caller frees it with gf_free.
 * NULL without memory. */
GF_API char *gf_program_text(const gf_program *program, gf_diags *diags);

GF_API const char *gf_program_name(const gf_program *program);

/* Params and buffers, in the order of declaration. Strings live as long as the program. */
typedef struct gf_param_info {
    const char *name;
    gf_type type;
    bool has_default;
} gf_param_info;

typedef enum gf_buffer_role { GF_BUFFER_IN, GF_BUFFER_INOUT, GF_BUFFER_OUT, GF_BUFFER_SCRATCH } gf_buffer_role;

typedef struct gf_buffer_info {
    const char *name;
    gf_type type;
    gf_buffer_role role;
    bool sized; /* false: declared `[]`, as long as what is bound */
} gf_buffer_info;

GF_API size_t gf_program_param_count(const gf_program *program);
GF_API bool gf_program_param_info(const gf_program *program, size_t index, gf_param_info *out);
GF_API size_t gf_program_buffer_count(const gf_program *program);
GF_API bool gf_program_buffer_info(const gf_program *program, size_t index, gf_buffer_info *out);
/* The present value of a param: its default; of a segment's registers and params, the value at this launch. False if
 * there is no such param or it has no value. */
GF_API bool gf_program_param(const gf_program *program, const char *name, gf_value *out);
/* True if the kernel says `fixpoint`. */
GF_API bool gf_program_has_fixpoint(const gf_program *program);

/* Whether results cannot depend on the order of atomics (language page, "Order-free programs"), races apart. The sink
 * gets a note for each line that makes it not so, if it is not NULL. */
GF_API bool gf_program_order_free(const gf_program *program, gf_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
