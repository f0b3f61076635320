/* Single values in LLVM: the op table, conversions and elementary functions as straight code at the builder's place.
 * The bits are those of ir/eval.h. What comes out is never poison, whatever goes in; there is no branch and no flag
 * that LLVM could take liberties by, so any of it may stand in a loop that becomes vectors. A NaN that an operation
 * makes may be any NaN until gf_ll_narrow, gf_ll_bitcast or gf_ll_canonical. */
#ifndef GF_EMIT_LLVM_VALUE_H
#define GF_EMIT_LLVM_VALUE_H

#include "ir/op.h"

#include <llvm-c/Core.h>

/* One module being built, and what all functions that emit into it share. */
typedef struct gf_ll {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder; /* stands where code goes */
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, half, ptr, nothing;
    /* The target converts f16 by itself (F16C). Off after gf_ll_init: then that is done on integers, because what LLVM
     * does without it is a call of the compiler's runtime library. */
    bool converts_half;
    LLVMValueRef elementary[GF_OP_COUNT][2]; /* functions made so far, of f32 and of f64 */
    LLVMValueRef zero;                       /* a global that holds 0, where one is needed */
} gf_ll;

/* Context, module, builder and types; false without memory. */
bool gf_ll_init(gf_ll *ll, const char *name);
/* NULL-safe. Who has taken the module sets `module` to NULL before; it must not outlive the context. */
void gf_ll_finish(gf_ll *ll);

/* Of an arithmetic type: bool is i1. */
LLVMTypeRef gf_ll_type(const gf_ll *ll, gf_type type);
/* Of an element in memory: bool is i8, f16 is i16. */
LLVMTypeRef gf_ll_stored(const gf_ll *ll, gf_type type);
/* The constant of an arithmetic type with these bits. */
LLVMValueRef gf_ll_bits(const gf_ll *ll, gf_type type, uint64_t bits);
/* "llvm.name"; overloaded is NULL where the intrinsic has one form only. */
LLVMValueRef gf_ll_call_intrinsic(gf_ll *ll, const char *name, LLVMTypeRef overloaded, LLVMValueRef *args,
                                  unsigned count);

/* An operation of ops.def. `type` is as for gf_eval_op; `count_type` that of the count b of shifts and rotates. */
LLVMValueRef gf_ll_op(gf_ll *ll, gf_op op, gf_type type, gf_type count_type, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef c);
LLVMValueRef gf_ll_combine(gf_ll *ll, gf_combine combine, gf_type type, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gf_ll_neutral(gf_ll *ll, gf_combine combine, gf_type type);
/* gf_eval_turns, an i64. A step of NULL is 1. */
LLVMValueRef gf_ll_turns(gf_ll *ll, gf_type type, LLVMValueRef a, LLVMValueRef b, LLVMValueRef s);
/* EXP2 LOG2 EXP LOG SIN COS TANH POW: a call of a function of this module that is always inlined. */
LLVMValueRef gf_ll_elementary(gf_ll *ll, gf_op op, gf_type type, LLVMValueRef a, LLVMValueRef b);

LLVMValueRef gf_ll_cast(gf_ll *ll, gf_type from, gf_type to, LLVMValueRef v);
LLVMValueRef gf_ll_bitcast(gf_ll *ll, gf_type from, gf_type to, LLVMValueRef v);
/* Of a float any NaN becomes the one NaN; all else stays. */
LLVMValueRef gf_ll_canonical(gf_ll *ll, gf_type type, LLVMValueRef v);
/* An element as it lies in memory (of gf_ll_stored) to gf_type_loaded(stored), and back, as gf_element_store does it.
 * A NaN of f16 may come in as any NaN. */
LLVMValueRef gf_ll_widen(gf_ll *ll, gf_type stored, LLVMValueRef v);
LLVMValueRef gf_ll_narrow(gf_ll *ll, gf_type stored, LLVMValueRef v);

#endif
