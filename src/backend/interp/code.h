/* What a program is compiled to. Two kinds of code, one inside the other:
 *
 *   steps         what the grid and its workgroups do together: stretches, barriers, heads, jumps between them. A grid
 *                 has one place in the steps, and so has a workgroup inside a stretch: control is uniform there, so
 *                 that returned invocations need no frame to take part.
 *   instructions  what one invocation does by itself from one stop to the next, and what a head computes, on 64-bit
 *                 registers that hold bit patterns.
 *
 * Registers are one array. From 0 up: the variables and temporaries of the invocation at hand, a stack. From the top
 * down: constants, params, lengths, ids, and variables of the grid and the workgroup. What lives across a stop is
 * copied between the stack and the invocation's frame at the stop, by lists made here. */
#ifndef GF_INTERP_CODE_H
#define GF_INTERP_CODE_H

#include "base/diag.h"
#include "ir/ir.h"

#define GF_REGISTERS 65536
#define GF_NO_INDEX UINT32_MAX

/* The arithmetic types, in the order of the instructions of one operation. */
#define GF_KINDS 7

typedef enum gf_code_op {
    GF_DO_END,         /* the invocation has reached the stop */
    GF_DO_RETURN,      /* it ends its pass */
    GF_DO_JUMP,        /* to d */
    GF_DO_JUMP_BACK,   /* to d, and look whether to stop */
    GF_DO_JUMP_IF,     /* a: to d */
    GF_DO_JUMP_UNLESS, /* !a: to d */
    GF_DO_MOVE,        /* a = b */
    GF_DO_SIGN_EXTEND, /* a = b, i32 to 64 bits */
    GF_DO_TRUNCATE,    /* a = low 32 bits of b */
    GF_DO_NONZERO,     /* a = b != 0 */
    GF_DO_CAST,        /* a = b, types in c */
    GF_DO_BITCAST,     /* the same */
    GF_DO_TURNS,       /* a = turns of a for from b to c by d; the type from `where` */
    GF_DO_NEXT_32,     /* if --c: a += b, jump to d */
    GF_DO_NEXT_64,
    GF_DO_LOAD_U8, /* a = array c [b] */
    GF_DO_LOAD_I8,
    GF_DO_LOAD_U16,
    GF_DO_LOAD_I16,
    GF_DO_LOAD_32,
    GF_DO_LOAD_64,
    GF_DO_LOAD_F16,
    GF_DO_LOAD_WATCHED, /* the same with every check */
    GF_DO_STORE_8,      /* array c [b] = a */
    GF_DO_STORE_16,
    GF_DO_STORE_32,
    GF_DO_STORE_64,
    GF_DO_STORE_F16,
    GF_DO_STORE_F32,
    GF_DO_STORE_F64,
    GF_DO_STORE_WATCHED,
    GF_DO_ATOMIC, /* a = old value of array c [b]; operands and kind in atomics[d] */
    GF_DO_ATOMIC_WATCHED,
    GF_DO_ZERO_ARRAY,    /* array c of this invocation */
    GF_DO_CHECK_DIVISOR, /* a must not be 0; watched code only */
    GF_DO_MUTE_IF,       /* a: from here nothing is an error ... */
    GF_DO_MUTE_UNLESS,
    GF_DO_UNMUTE_IF, /* ... to here */
    GF_DO_UNMUTE_UNLESS,
    GF_DO_TRAP,       /* address a, statement in `where` */
    GF_DO_ASSERT,     /* a must hold */
    GF_DO_COPY,       /* copies[d] */
    GF_DO_WAIT,       /* d: number of the tag */
    GF_DO_CONVERGED,  /* a */
    GF_DO_GIVE_GROUP, /* a is what this invocation gives to an operation of its workgroup */
    GF_DO_GIVE_GRID,
    GF_DO_TAKE_GROUP, /* a = its result of a scan */
    GF_DO_TAKE_GRID,
    GF_DO_OPERATION, /* from here on: operation * GF_KINDS + kind; a = op(b, c, d) */
} gf_code_op;

typedef struct gf_instr {
    uint16_t op; /* gf_code_op, or an operation of the table */
    uint16_t a, b, c;
    uint32_t d;
    uint32_t where; /* index of a gf_place, or GF_NO_INDEX */
} gf_instr;

/* What an instruction came from, for messages. */
typedef struct gf_place {
    gf_span span;
    const gf_stmt *stmt;    /* of TRAP and ASSERT */
    const gf_symbol *array; /* of accesses */
    gf_type type;           /* of the index, address, divisor or loop variable */
} gf_place;

typedef struct gf_atomic_use {
    gf_atomic atomic;
    gf_type type;
    uint16_t operand, desired;
} gf_atomic_use;

typedef struct gf_copy_use {
    uint16_t target, source; /* arrays */
    uint16_t target_index, source_index, count;
    gf_type target_type, source_type, count_type;
    uint32_t target_where, source_where; /* places */
    uint32_t tag;
} gf_copy_use;

/* ---- steps ---- */

typedef enum gf_step_kind {
    /* of the grid */
    GF_STEP_STRETCH, /* the workgroups run what follows up to GROUP_END, one after the other; `to` is behind it */
    GF_STEP_GRID_BARRIER,
    GF_STEP_FORALL,
    GF_STEP_GRID_FOLD, /* reg = the results of the groups, combined */
    GF_STEP_GRID_SCAN,
    GF_STEP_SWAP,
    GF_STEP_COLLECTIVE,
    GF_STEP_PASS_END,
    /* of a workgroup */
    GF_STEP_LANES, /* its invocations run `code`, one after the other */
    GF_STEP_GROUP_BARRIER,
    GF_STEP_GROUP_FOLD, /* reg = what the invocations gave, combined */
    GF_STEP_GROUP_SCAN,
    GF_STEP_GROUP_RETURN,
    GF_STEP_GROUP_END,
    /* of both */
    GF_STEP_HEAD, /* run `code` once, for all */
    GF_STEP_JUMP,
    GF_STEP_JUMP_ZERO, /* reg == 0: jump */
} gf_step_kind;

/* How a stretch ends: with what its invocations gave to an operation of the grid. */
typedef enum gf_finish { GF_FINISH_NONE, GF_FINISH_FOLD, GF_FINISH_SCAN } gf_finish;

typedef struct gf_save {
    uint16_t reg;
    uint32_t offset; /* in the frame, in registers */
} gf_save;
typedef struct gf_saves {
    const gf_save *items;
    size_t count;
} gf_saves;
typedef struct gf_regs {
    const uint16_t *items;
    size_t count;
} gf_regs;

typedef struct gf_step_reduce {
    gf_combine combine;
    gf_type type;
    uint16_t inner, outer;
} gf_step_reduce;

typedef struct gf_step {
    gf_step_kind kind;
    uint32_t to;
    uint32_t code;
    /* LANES: the uniform assignments among them once more, for the workgroup; STRETCH: for the grid. */
    uint32_t uniform_code;
    gf_regs
        assigned; /* what they assign: put back before each invocation (workgroup) so that each sees the old value */
    gf_saves load_grid, save_grid;   /* LANES: registers from and to the frames that live across grid stops */
    gf_saves load_group, save_group; /* and across workgroup stops only */
    gf_finish finish;
    gf_combine combine;
    gf_type type;
    uint16_t reg, from, until; /* FORALL: i, its bounds */
    const gf_step_reduce *reduces;
    size_t reduce_count;
    uint16_t first, second; /* SWAP, COLLECTIVE: buffers */
    const gf_stmt *stmt;
} gf_step;

/* ---- the rest ---- */

typedef enum gf_fill_kind { GF_FILL_BITS, GF_FILL_PARAM, GF_FILL_LENGTH, GF_FILL_SIZE } gf_fill_kind;

/* A register that has its value before a run begins. */
typedef struct gf_fill {
    gf_fill_kind kind;
    uint16_t reg;
    uint64_t bits; /* BITS: the value; PARAM, LENGTH: which; SIZE: builtin * 8 + axis */
    gf_type type;
} gf_fill;

/* Which ids the invocations need, by gf_builtin and gf_axis; 0: nobody asks (no id lies in register 0). */
typedef struct gf_id_regs {
    uint16_t gid[4], lid[4], wid[4];
} gf_id_regs;

typedef enum gf_array_home {
    GF_HOME_BUFFER,
    GF_HOME_SHARED,      /* one per workgroup */
    GF_HOME_TEMPORARY,   /* of the invocation at hand, up to the next stop */
    GF_HOME_GROUP_FRAME, /* lives across workgroup stops */
    GF_HOME_GRID_FRAME,  /* lives across grid stops */
} gf_array_home;

typedef struct gf_array_info {
    const gf_symbol *symbol;
    gf_array_home home;
    gf_type type;
    uint64_t length; /* elements; of buffers known at launch */
    uint64_t offset; /* bytes, in its home */
} gf_array_info;

/* One compiled form of a program, read-only. */
typedef struct gf_module {
    const gf_instr *instrs;
    size_t instr_count;
    const gf_step *steps;
    size_t step_count;
    const gf_place *places;
    size_t place_count;
    const gf_atomic_use *atomics;
    const gf_copy_use *copies;
    const gf_fill *fills;
    size_t fill_count;
    const gf_array_info *arrays; /* buffers first, in order of declaration, then workgroup arrays, then others */
    size_t array_count, buffer_count;
    gf_id_regs ids;
    gf_regs group_regs;     /* of a workgroup, kept from stretch to stretch */
    size_t grid_frame_regs; /* registers per invocation */
    size_t group_frame_regs;
    uint64_t grid_frame_bytes, group_frame_bytes, temporary_bytes, shared_bytes; /* of arrays */
    size_t stretch_count; /* STRETCH steps: of one, frames of all workgroups are never needed */
    bool frames_needed;   /* more than one stretch, so that workgroups come back */
    bool may_end;         /* an invocation can end before its pass does */
    bool gives_group, gives_grid, folds_grid;
    size_t most_assigned; /* the longest `assigned` */
} gf_module;

/* Compiles the checked tree into `code`. `watched`: with every check that --checked and --check-races ask for. Runs
 * inside gf_arena_protect. */
bool gf_module_compile(gf_arena *arena, const gf_tree *tree, bool watched, gf_module *code, gf_diags *diags);

#endif
