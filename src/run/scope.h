/* What the names in scalar expressions stand for during a run: params, grid registers, lengths of buffers. */
#ifndef GF_RUN_SCOPE_H
#define GF_RUN_SCOPE_H

#include "ir/eval.h"

typedef enum gf_scope_kind { GF_SCOPE_PARAM, GF_SCOPE_REGISTER, GF_SCOPE_BUFFER } gf_scope_kind;

typedef struct gf_scope_entry {
    const gf_symbol *symbol;
    uint32_t index; /* among those of its kind, in the order added */
    gf_scope_kind kind;
} gf_scope_entry;

/* Made once per program or plan, then read only; symbols are borrowed. */
typedef struct gf_scope {
    gf_scope_entry *entries; /* sorted by address once sealed */
    size_t count, capacity;
    size_t counts[3]; /* by kind */
} gf_scope;

bool gf_scope_add(gf_scope *scope, gf_scope_kind kind, const gf_symbol *symbol, gf_diags *diags);
/* Params and buffers of a checked tree, in order of declaration. */
bool gf_scope_add_tree(gf_scope *scope, const gf_tree *tree, gf_diags *diags);
void gf_scope_seal(gf_scope *scope);
void gf_scope_finish(gf_scope *scope);
/* NULL where the symbol is not in it. */
const gf_scope_entry *gf_scope_find(const gf_scope *scope, const gf_symbol *symbol);

#define GF_LENGTH_UNKNOWN UINT64_MAX

/* The values at some moment. Arrays are borrowed and may change between evaluations. */
typedef struct gf_frame {
    const gf_scope *scope;
    const gf_value *params;
    const uint64_t *registers;
    const uint64_t *lengths; /* elements; GF_LENGTH_UNKNOWN: not yet */
    /* One element of buffer `index`, below its length, as gf_element_load gives it. NULL: no loads. */
    bool (*load)(void *user, uint32_t index, uint64_t element, uint64_t *bits);
    bool (*fault)(void *user, const gf_eval_fault *fault); /* as in gf_env */
    void *user;
} gf_frame;

/* An environment over the frame, which it borrows; without geometry. */
gf_env gf_frame_env(const gf_frame *frame);

typedef struct gf_geometry {
    uint64_t space[3];  /* invocations */
    uint64_t groups[3]; /* workgroups */
    uint32_t workgroup[3];
} gf_geometry;

bool gf_geometry_is_empty(const gf_geometry *geometry);
void gf_env_set_geometry(gf_env *env, const gf_geometry *geometry);
/* Groups that cover the space; false (with a message) where an axis has more than 2^32 - 1 invocations or groups. */
bool gf_geometry_cover(gf_geometry *geometry, const char *what, gf_span span, gf_diags *diags);
/* Of a checked program: its space under `env`, which answers for params, lengths and (indirect) loads. */
bool gf_geometry_eval(gf_geometry *geometry, const gf_tree *tree, const gf_env *env, gf_diags *diags);

#endif
