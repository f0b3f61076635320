/* A machine for whole PTX kernels, as device `cuda` writes them: a grid of blocks of threads, shared memory, barriers,
 * shuffles, atomics. Threads take turns, each for some instructions or until it waits for others, so that spinning gets
 * on. It is strict where a GPU is lenient: threads that meet at a barrier or a shuffle must be at the same instruction,
 * and all of them; addresses must lie in live memory and be aligned; registers and memory begin as garbage; nobody may
 * divide by zero. Of the memory model it has nothing: each access is seen at once. */
#ifndef GF_TESTS_FAKE_CUDA_PTX_H
#define GF_TESTS_FAKE_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_op {
    PTX_ABS,
    PTX_ADD,
    PTX_AND,
    PTX_ATOM,
    PTX_BAR_RED,
    PTX_BAR_SYNC,
    PTX_BAR_WARP,
    PTX_BRA,
    PTX_BREV,
    PTX_CALL,
    PTX_CLZ,
    PTX_CVT,
    PTX_CVTA,
    PTX_DIV,
    PTX_FMA,
    PTX_GRID_WAIT,
    PTX_LD,
    PTX_MAD,
    PTX_MAX,
    PTX_MIN,
    PTX_MOV,
    PTX_MUL,
    PTX_NEG,
    PTX_NOT,
    PTX_OR,
    PTX_POPC,
    PTX_REM,
    PTX_RET,
    PTX_SELP,
    PTX_SETP,
    PTX_SHF,
    PTX_SHFL,
    PTX_SHL,
    PTX_SHR,
    PTX_SQRT,
    PTX_ST,
    PTX_SUB,
    PTX_VOTE,
    PTX_XOR
} ptx_op;

typedef struct ptx_type {
    uint8_t bytes; /* 0: pred */
    char kind;     /* 'p' 'b' 'u' 's' 'f' */
} ptx_type;

/* What names none is generic: of shared memory the addresses lie from PTX_WINDOW on. */
typedef enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM } ptx_space;
#define PTX_WINDOW ((uint64_t)0x7ff0 << 48)

typedef enum ptx_operand_kind {
    PTX_NONE,
    PTX_REGISTER,
    PTX_NUMBER,  /* also of variables: their addresses */
    PTX_SPECIAL, /* %tid.x and so on: `number` is one of ptx_special */
} ptx_operand_kind;

typedef enum ptx_special { PTX_TID, PTX_NTID, PTX_CTAID, PTX_NCTAID, PTX_LANE, PTX_CLOCK } ptx_special;

typedef struct ptx_operand {
    ptx_operand_kind kind;
    uint32_t index; /* of the register in a thread's file */
    uint64_t number;
} ptx_operand;

typedef enum ptx_how {
    PTX_PLAIN,
    PTX_LO,
    PTX_HI,
    PTX_WIDE, /* mul mad */
    PTX_RN,
    PTX_RZI,
    PTX_RNI,
    PTX_RMI,
    PTX_RPI, /* cvt; floats */
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE,
    PTX_NEU,
    PTX_NAN, /* setp */
    PTX_DO_ADD,
    PTX_DO_MIN,
    PTX_DO_MAX,
    PTX_DO_AND,
    PTX_DO_OR,
    PTX_DO_XOR,
    PTX_DO_EXCH,
    PTX_DO_CAS, /* atom red bar.red */
    PTX_LEFT,
    PTX_RIGHT, /* shf */
    PTX_UP,
    PTX_DOWN,
    PTX_BFLY,
    PTX_IDX, /* shfl */
    PTX_BALLOT,
    PTX_ANY /* vote */
} ptx_how;

typedef struct ptx_step {
    ptx_op op;
    ptx_type type, from; /* `from`: of cvt */
    ptx_how how;
    ptx_space space;
    bool has_guard, guard_not, is_signed;
    bool has_result;       /* atom, not red */
    bool is_acquire;       /* ld: of somebody who waits, mostly */
    bool is_strong;        /* ld st: relaxed or more, so that others may be there at the same time */
    bool is_constant;      /* ld: of what nobody writes while the kernel is there */
    bool braces_first;     /* of the operands in braces */
    uint32_t guard, count; /* count: operands */
    uint32_t vector;       /* ld st: elements; mov: of a pair; else 1 */
    ptx_operand operands[8];
    ptx_operand address; /* ld st atom red: a register or a number, and */
    int64_t offset;
    uint32_t target; /* bra: the step */
    uint32_t line;   /* in the text */
} ptx_step;

typedef struct ptx_variable {
    char name[48];
    ptx_space space;
    uint64_t offset, bytes;
    bool is_extern;
} ptx_variable;

typedef struct ptx_function {
    char name[64];
    ptx_step *steps;
    size_t step_count;
    uint32_t registers;
    uint32_t first[6]; /* register of each class %p %r %rd %f %d %h */
    ptx_variable variables[64];
    size_t variable_count;
    uint64_t shared_bytes, local_bytes, param_bytes;
    uint64_t given_bytes; /* of params, those that a launch gives; the rest is for calls */
    unsigned most_threads;
} ptx_function;

typedef struct fake_ptx {
    char *text;
    ptx_function *functions;
    size_t function_count;
    ptx_variable variables[16];
    size_t variable_count;
} fake_ptx;

/* NULL with why where something is not understood. */
fake_ptx *fake_ptx_read(const char *text, char *why, size_t size);
void fake_ptx_free(fake_ptx *module);
const ptx_function *fake_ptx_find(const fake_ptx *module, const char *name);

typedef struct fake_grid fake_grid;
/* `params`: the bytes of the function's parameters, in order; constants: what [gf_args] is. */
fake_grid *fake_grid_begin(const ptx_function *function, unsigned blocks, unsigned threads, unsigned dynamic_shared,
                           const void *params, const void *constants);
/* It may come before the one in front of it has ended: nobody looks at memory, or ends, before it has waited, and what
 * kernels before it in the graph launch of that number have written is no constant. */
void fake_grid_is_early(fake_grid *grid);
void fake_grid_in_graph(fake_grid *grid, uint64_t launch); /* 0: in none */
/* Carries out about so many instructions. True: all threads are done, or somebody did wrong. */
bool fake_grid_run(fake_grid *grid, uint64_t instructions);
const char *fake_grid_why(const fake_grid *grid); /* NULL: nobody did wrong */
void fake_grid_free(fake_grid *grid);

/* From the rest of the library. */
void *fake_resolve_near(uint64_t address, size_t bytes);
/* Of memory that was just resolved: the launch of a graph that wrote it last. */
uint64_t *fake_written_near(uint64_t address);
void fake_set_condition(uint64_t handle, unsigned value);

uint64_t fake_instructions(void); /* carried out so far, by all grids */

#endif
