/* What the files of the compiler share. */
#ifndef GF_INTERP_COMPILE_H
#define GF_INTERP_COMPILE_H

#include "backend/interp/code.h"

/* Instructions after which a program is too large: inlined functions can grow without a bound. */
#define GF_CODE_LIMIT ((size_t)1 << 22)
#define GF_INLINE_DEPTH 200

typedef struct gf_frame_entry {
    gf_level level; /* across whose stops it lives */
    gf_save save;
} gf_frame_entry;

/* An assignment to a uniform variable: each invocation makes it for itself, and whoever shares the variable once. */
typedef struct gf_uniform {
    const gf_stmt *stmt;
    uint32_t value; /* register of the value, where it is the result of an operation over all; else GF_NO_INDEX */
} gf_uniform;

/* Jumps that wait for their target are chained through their own `d` or `to`, ended by GF_NO_INDEX. */
typedef struct gf_loop {
    struct gf_loop *outer;
    gf_level level;     /* NONE: of the invocation; its jumps are instructions, those of others steps */
    bool only_continue; /* the body of a forall */
    uint32_t breaks, continues;
} gf_loop;

typedef struct gf_inline {
    struct gf_inline *outer;
    unsigned depth;
    uint32_t result;  /* register, or GF_NO_INDEX */
    uint32_t returns; /* chain */
} gf_inline;

typedef struct gf_marks {
    uint32_t next;
    uint32_t grid_regs, group_regs;
    uint64_t grid_bytes, group_bytes, temporary_bytes;
} gf_marks;

typedef struct gf_constant {
    bool used;
    uint64_t bits;
    uint16_t reg;
} gf_constant;

typedef struct gf_compiler {
    gf_arena *arena;
    gf_diags *diags;
    const gf_tree *tree;
    gf_module *code;
    bool watched, failed;
    GF_VEC(gf_instr) instrs;
    GF_VEC(gf_step) steps;
    GF_VEC(gf_place) places;
    GF_VEC(gf_atomic_use) atomics;
    GF_VEC(gf_copy_use) copies;
    GF_VEC(gf_fill) fills;
    GF_VEC(gf_array_info) arrays;
    GF_VEC(const char *) tags;
    GF_VEC(gf_frame_entry) frame; /* the variables in scope that live across stops */
    GF_VEC(gf_uniform) lane_uniforms, stretch_uniforms;
    GF_VEC(uint16_t) lane_assigned, stretch_assigned, group_regs;
    uint32_t *reg_of;    /* by symbol id; GF_NO_INDEX */
    uint32_t *array_of;  /* by symbol id */
    unsigned char *home; /* by symbol id: gf_level of the variable, NONE: of the invocation */
    gf_constant *constants;
    size_t constant_count, constant_room; /* room: a power of two */
    uint16_t sizes[3][4];
    gf_marks at;      /* what is in use now */
    uint32_t fixed;   /* the lowest register taken from the top */
    gf_level context; /* who executes what is compiled now */
    gf_level lives;   /* across which stops of its block a variable lives that is declared now */
    gf_loop *loop;
    gf_inline *inlined;
    uint32_t stretch, lanes; /* steps that are open, or GF_NO_INDEX */
    uint32_t pass_ends;      /* chain of steps */
} gf_compiler;

/* Everything below does nothing once the compiler has failed. */
bool gf_compile_fault(gf_compiler *c, gf_span span, const char *what);
uint32_t gf_emit(gf_compiler *c, unsigned op, uint32_t a, uint32_t b, uint32_t third, uint32_t d, uint32_t where);
uint32_t gf_place_of(gf_compiler *c, gf_span span, const gf_stmt *stmt, const gf_symbol *array, gf_type type);
uint32_t gf_here(const gf_compiler *c);        /* index of the next instruction */
void gf_patch(gf_compiler *c, uint32_t chain); /* all jumps of the chain come here */
void gf_jump(gf_compiler *c, unsigned op, uint32_t reg, uint32_t *chain);

uint32_t gf_reg_stack(gf_compiler *c); /* a new register of the invocation */
uint32_t gf_reg_fixed(gf_compiler *c); /* a new register from the top */
uint32_t gf_reg_constant(gf_compiler *c, uint64_t bits);
uint32_t gf_reg_symbol(gf_compiler *c, const gf_ref *ref);
uint32_t gf_array_index(gf_compiler *c, const gf_ref *ref);
uint32_t gf_tag_number(gf_compiler *c, const char *tag);

/* Whether the register of the expression's value may stand for it as long as the name in it is in scope. */
bool gf_expr_is_fixed(const gf_expr *expr);
uint32_t gf_compile_expr(gf_compiler *c, const gf_expr *expr); /* the register that holds the value */
void gf_compile_into(gf_compiler *c, const gf_expr *expr, uint32_t to);
void gf_compile_condition(gf_compiler *c, const gf_expr *expr, bool sense,
                          uint32_t *chain);                      /* jumps if it is `sense` */
uint32_t gf_compile_index(gf_compiler *c, const gf_expr *index); /* in 64 bits, with sign */
void gf_compile_operation(gf_compiler *c, gf_op op, gf_type type, uint32_t to, const uint32_t *from, gf_span span);
void gf_compile_load(gf_compiler *c, const gf_symbol *array, uint32_t array_index, const gf_expr *index,
                     uint32_t index_reg, uint32_t to, gf_span span);

/* compile_homes.c: whose variables are whose, and the highest stop that a statement holds. */
void gf_find_homes(gf_compiler *c);
gf_level gf_stops_of(const gf_stmt *stmt);
static inline gf_level gf_lower_level(gf_level a, gf_level b) {
    return a < b ? a : b;
}

/* compile_steps.c */
uint32_t gf_push_step(gf_compiler *c, gf_step_kind kind);
gf_step *gf_step_at(gf_compiler *c, uint32_t index);
uint32_t gf_next_step(const gf_compiler *c);
void gf_jump_step(gf_compiler *c, uint32_t *chain);
void gf_patch_steps(gf_compiler *c, uint32_t chain);
void gf_open_lanes(gf_compiler *c); /* what is emitted now, each invocation runs */
void gf_close_stretch(gf_compiler *c);
void gf_arrive(gf_compiler *c, gf_level level);   /* all of the level have run what was emitted */
void gf_stop_all(gf_compiler *c, gf_level level); /* the same, and a barrier */
void gf_begin_head(gf_compiler *c);               /* what is emitted up to end_head runs once for all */
void gf_end_head(gf_compiler *c);
void gf_declare_uniform(gf_compiler *c, const gf_symbol *symbol, gf_level home);
void gf_assign_uniform(gf_compiler *c, const gf_stmt *stmt, uint32_t value, gf_level home);

/* compile_cross.c: LET, VAR or ASSIGN of an operation over all. */
void gf_compile_cross(gf_compiler *c, const gf_stmt *stmt);

/* Statements of one invocation (compile_lane.c), of the grid and the workgroup (compile_grid.c). */
void gf_compile_lane_stmt(gf_compiler *c, const gf_stmt *stmt);
void gf_compile_lane_block(gf_compiler *c, const gf_block *block);
/* The register of a LET or VAR that starts to live here, in context; its register is mapped. */
uint32_t gf_declare_stack(gf_compiler *c, const gf_symbol *symbol, gf_level lives_across);
void gf_declare_array(gf_compiler *c, const gf_symbol *symbol, gf_level lives_across, gf_span span);
void gf_compile_turns(gf_compiler *c, const gf_stmt *stmt, uint32_t i, uint32_t step, uint32_t count);
void gf_compile_next(gf_compiler *c, const gf_stmt *stmt, uint32_t i, uint32_t step, uint32_t count, uint32_t to);
void gf_compile_kernel(gf_compiler *c);

#endif
