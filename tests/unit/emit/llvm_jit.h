/* What the tests of values share: each case is a loop over arrays, all cases are one module, and the module is compiled
 * for several targets. A case runs on every target that this machine can run, and is compared with ir/eval.h. */
#ifndef GF_TESTS_LLVM_JIT_H
#define GF_TESTS_LLVM_JIT_H

#include "emit/llvm/value.h"
#include "ir/eval.h"
#include "unit/unit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Object.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* A case emits i64 of three i64, and says what that is. */
typedef struct jit_case jit_case;
struct jit_case {
    LLVMValueRef (*emit)(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
    uint64_t (*expect)(const jit_case *it, uint64_t a, uint64_t b, uint64_t c);
    unsigned kind; /* the test's own: an op, a combine */
    gf_type type, other, result;
    int fixed; /* which operand is a constant: 0 1 2, or -1 */
    uint64_t constant;
};

typedef void jit_loop(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *out, uint64_t count);

typedef struct jit_target {
    const char *name, *cpu, *features;
    const char *passes; /* NULL: straight from the builder */
    bool runs, converts_half;
    LLVMCodeGenOptLevel level;
    LLVMOrcLLJITRef jit;
} jit_target;

static inline void jit_check(LLVMErrorRef error) {
    if (error != NULL) {
        char *message = LLVMGetErrorMessage(error);
        print_error("%s\n", message);
        LLVMDisposeErrorMessage(message);
        fail();
    }
}

/* ---- arguments and results ---- */

static inline LLVMValueRef jit_take(gf_ll *ll, gf_type type, LLVMValueRef bits) {
    LLVMTypeRef t = gf_ll_type(ll, type);
    LLVMTypeRef whole = type == GF_TYPE_F32 ? ll->i32 : type == GF_TYPE_F64 ? ll->i64 : t;
    bits = LLVMBuildIntCast2(ll->builder, bits, whole, 0, "");
    return LLVMBuildBitCast(ll->builder, bits, t, "");
}

static inline LLVMValueRef jit_give(gf_ll *ll, gf_type type, LLVMValueRef value) {
    LLVMTypeRef whole = type == GF_TYPE_F32 ? ll->i32 : type == GF_TYPE_F64 ? ll->i64 : gf_ll_type(ll, type);
    value = LLVMBuildBitCast(ll->builder, value, whole, "");
    return LLVMBuildIntCast2(ll->builder, value, ll->i64, 0, "");
}

/* ---- making ---- */

static inline void jit_name(char name[32], size_t number) {
    snprintf(name, 32, "case_%zu", number);
}

/* void case_N(a, b, c, out, count): for each i, out[i] = emit(a[i], b[i], c[i]). */
static inline void jit_add_loop(gf_ll *ll, const jit_case *it, size_t number) {
    char name[32];
    jit_name(name, number);
    LLVMTypeRef type =
        LLVMFunctionType(ll->nothing, (LLVMTypeRef[]){ll->ptr, ll->ptr, ll->ptr, ll->ptr, ll->i64}, 5, 0);
    LLVMValueRef function = LLVMAddFunction(ll->module, name, type);
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", 7);
    for (unsigned i = 1; i <= 4; i++) {
        LLVMAddAttributeAtIndex(function, i, LLVMCreateEnumAttribute(ll->context, noalias, 0));
    }
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(ll->context, function, "");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(ll->context, function, "body");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(ll->context, function, "done");
    LLVMPositionBuilderAtEnd(ll->builder, entry);
    LLVMBuildBr(ll->builder, body);
    LLVMPositionBuilderAtEnd(ll->builder, body);
    LLVMValueRef i = LLVMBuildPhi(ll->builder, ll->i64, "i"), operands[3];
    for (unsigned k = 0; k < 3; k++) {
        LLVMValueRef at = LLVMBuildInBoundsGEP2(ll->builder, ll->i64, LLVMGetParam(function, k), &i, 1, "");
        operands[k] =
            it->fixed == (int)k ? LLVMConstInt(ll->i64, it->constant, 0) : LLVMBuildLoad2(ll->builder, ll->i64, at, "");
    }
    LLVMValueRef result = it->emit(ll, it, operands[0], operands[1], operands[2]);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(ll->builder, ll->i64, LLVMGetParam(function, 3), &i, 1, "");
    LLVMBuildStore(ll->builder, result, at);
    LLVMValueRef next = LLVMBuildAdd(ll->builder, i, LLVMConstInt(ll->i64, 1, 0), "");
    LLVMValueRef more = LLVMBuildICmp(ll->builder, LLVMIntULT, next, LLVMGetParam(function, 4), "");
    LLVMBuildCondBr(ll->builder, more, body, done);
    LLVMAddIncoming(i, (LLVMValueRef[]){LLVMConstInt(ll->i64, 0, 0), next}, (LLVMBasicBlockRef[]){entry, body}, 2);
    LLVMPositionBuilderAtEnd(ll->builder, done);
    LLVMBuildRetVoid(ll->builder);
}

static inline LLVMTargetMachineRef jit_machine(const jit_target *target) {
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef found = NULL;
    assert_int_equal(LLVMGetTargetFromTriple(triple, &found, &message), 0);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(found, triple, target->cpu, target->features, target->level,
                                                           LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(triple);
    assert_non_null(machine);
    return machine;
}

/* The module of all cases, verified and through the target's passes. */
static inline void jit_build(gf_ll *ll, const jit_target *target, LLVMTargetMachineRef machine, const jit_case *cases,
                             size_t count) {
    assert_true(gf_ll_init(ll, "cases"));
    ll->converts_half = target->converts_half;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(ll->module, layout);
    LLVMDisposeTargetData(layout);
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMSetTarget(ll->module, triple);
    LLVMDisposeMessage(triple);
    for (size_t i = 0; i < count; i++) {
        jit_add_loop(ll, &cases[i], i);
    }
    if (LLVMVerifyModule(ll->module, LLVMReturnStatusAction, &message) != 0) {
        print_error("%s\n", message);
        fail();
    }
    LLVMDisposeMessage(message);
    if (target->passes != NULL) {
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
        LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
        jit_check(LLVMRunPasses(ll->module, target->passes, machine, options));
        LLVMDisposePassBuilderOptions(options);
    }
}

/* What an object may ask the process for: libm has these everywhere, and loops that fill or copy become the others. */
static inline bool jit_may_need(const char *symbol) {
    static const char *const known[] = {"fma",
                                        "fmaf",
                                        "floor",
                                        "floorf",
                                        "ceil",
                                        "ceilf",
                                        "trunc",
                                        "truncf",
                                        "roundeven",
                                        "roundevenf",
                                        "memset",
                                        "memcpy",
                                        "_GLOBAL_OFFSET_TABLE_"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(symbol, known[i]) == 0) {
            return true;
        }
    }
    return *symbol == '\0';
}

static inline void jit_check_symbols(LLVMMemoryBufferRef object) {
    char *message = NULL;
    LLVMBinaryRef binary = LLVMCreateBinary(object, NULL, &message);
    assert_non_null(binary);
    LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(binary);
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
    while (!LLVMObjectFileIsSymbolIteratorAtEnd(binary, symbol)) {
        LLVMMoveToContainingSection(section, symbol);
        if (LLVMObjectFileIsSectionIteratorAtEnd(binary, section) && strcmp(LLVMGetSymbolName(symbol), "cases") != 0 &&
            !jit_may_need(LLVMGetSymbolName(symbol))) {
            fail_msg("the code asks for %s", LLVMGetSymbolName(symbol));
        }
        LLVMMoveToNextSymbol(symbol);
    }
    LLVMDisposeSectionIterator(section);
    LLVMDisposeSymbolIterator(symbol);
    LLVMDisposeBinary(binary);
}

static inline void jit_compile(jit_target *target, const jit_case *cases, size_t count) {
    gf_ll ll;
    LLVMTargetMachineRef machine = jit_machine(target);
    jit_build(&ll, target, machine, cases, count);
    char *message = NULL;
    LLVMMemoryBufferRef object = NULL;
    assert_int_equal(LLVMTargetMachineEmitToMemoryBuffer(machine, ll.module, LLVMObjectFile, &message, &object), 0);
    gf_ll_finish(&ll);
    LLVMDisposeTargetMachine(machine);
    jit_check_symbols(object);
    if (!target->runs) {
        LLVMDisposeMemoryBuffer(object);
        return;
    }
    LLVMOrcDefinitionGeneratorRef process = NULL;
    jit_check(LLVMOrcCreateLLJIT(&target->jit, NULL));
    jit_check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(target->jit),
                                                                   NULL, NULL));
    LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(target->jit);
    LLVMOrcJITDylibAddGenerator(dylib, process);
    jit_check(LLVMOrcLLJITAddObjectFile(target->jit, dylib, object));
}

/* ---- targets ---- */

enum { JIT_TARGETS = 3 };

static inline void jit_targets(jit_target targets[JIT_TARGETS]) {
    static char *cpu, *features; /* kept until the process ends */
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    if (cpu == NULL) {
        cpu = LLVMGetHostCPUName();
        features = LLVMGetHostCPUFeatures();
    }
    bool half = strstr(features, "+f16c") != NULL;
#if defined(__x86_64__)
    const char *least = "x86-64";
#else
    const char *least = "generic";
#endif
    targets[0] = (jit_target){"least, no passes", least, "", NULL, true, false, LLVMCodeGenLevelNone, NULL};
    targets[1] = (jit_target){"least", least, "", "default<O2>", true, false, LLVMCodeGenLevelDefault, NULL};
    targets[2] =
        (jit_target){"this machine", cpu, features, "default<O2>", true, half, LLVMCodeGenLevelAggressive, NULL};
}

static inline jit_loop *jit_find(const jit_target *target, size_t number) {
    char name[32];
    jit_name(name, number);
    LLVMOrcExecutorAddress address = 0;
    jit_check(LLVMOrcLLJITLookup(target->jit, &address, name));
    jit_loop *function;
    memcpy(&function, &address, sizeof function);
    return function;
}

/* ---- inputs ---- */

typedef struct jit_rows {
    uint64_t *a, *b, *c, *out, *expected;
    size_t count, room;
} jit_rows;

static inline void jit_rows_init(jit_rows *rows, size_t room) {
    uint64_t **columns[] = {&rows->a, &rows->b, &rows->c, &rows->out, &rows->expected};
    for (size_t i = 0; i < 5; i++) {
        *columns[i] = malloc(room * sizeof(uint64_t));
        assert_non_null(*columns[i]);
    }
    rows->room = room;
    rows->count = 0;
}

static inline void jit_rows_finish(jit_rows *rows) {
    free(rows->a);
    free(rows->b);
    free(rows->c);
    free(rows->out);
    free(rows->expected);
}

static inline void jit_row(jit_rows *rows, uint64_t a, uint64_t b, uint64_t c) {
    assert_true(rows->count < rows->room);
    rows->a[rows->count] = a;
    rows->b[rows->count] = b;
    rows->c[rows->count] = c;
    rows->count++;
}

static inline uint64_t jit_random(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

enum { JIT_EDGES = 64 };

/* The values at which something changes, of an arithmetic type. */
static inline size_t jit_edges(gf_type type, uint64_t edges[JIT_EDGES]) {
    static const uint64_t f32[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x33000000, 0x33000001,
        0x33800000, 0x33c00000, 0x38800000, 0x387fffff, 0x3f000000, 0xbf000000, 0x3effffff, 0x3f7fffff, 0x3f800000,
        0xbf800000, 0x3f800001, 0x3fc00000, 0xbfc00000, 0x40000000, 0x40200000, 0x40400000, 0xc0400000, 0x40490fdb,
        0x42c80000, 0x477fefff, 0x477ff000, 0x47800000, 0x4b000001, 0x4b800000, 0x4effffff, 0x4f000000, 0xcf000000,
        0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0xdf000001, 0x5f7fffff, 0x5f800000,
        0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffc12345, 0x7fffffff};
    static const uint64_t f64[] = {
        0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
        0x0010000000000000, 0x3690000000000000, 0x3690000000000001, 0x36a0000000000000, 0x380fffffffffffff,
        0x3810000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3fdfffffffffffff, 0x3fefffffffffffff,
        0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3ff0000010000000, 0x3ff0000030000000,
        0x3ff8000000000000, 0xbff8000000000000, 0x4000000000000000, 0x4008000000000000, 0xc008000000000000,
        0x400921fb54442d18, 0x4059000000000000, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
        0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000, 0x4330000000000001,
        0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000, 0xc3e0000000000001, 0x43efffffffffffff,
        0x43f0000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x7fefffffffffffff, 0xffefffffffffffff,
        0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001,
        0xfff8123456789abc, 0x7fffffffffffffff};
    static const uint64_t whole[] = {0,          1,          2,          3,          5,          7,
                                     10,         31,         32,         33,         63,         64,
                                     65,         127,        128,        255,        0xffff,     0x10000,
                                     0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
                                     0x01000001, 0x01000003, 0x55555555, 0xfffffff9};
    static const uint64_t wide[] = {0x100000000,        0x100000001,        0x7fffffffffffffff, 0x8000000000000000,
                                    0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0xfffffffffffffff9,
                                    0xffffffff80000000, 0xffffffff7fffffff, 0x0020000000000001, 0x0020000000000003,
                                    0x7ffffffffffffc00, 0x7ffffffffffffe00, 0x0123456789abcdef, 0x8000008000000001,
                                    0x0000010000010001};
    size_t count = 0;
    if (type == GF_TYPE_BOOL) {
        edges[0] = 0;
        edges[1] = 1;
        return 2;
    }
    if (type == GF_TYPE_F32 || type == GF_TYPE_F64) {
        size_t size = type == GF_TYPE_F32 ? sizeof f32 : sizeof f64;
        memcpy(edges, type == GF_TYPE_F32 ? f32 : f64, size);
        return size / sizeof(uint64_t);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        edges[count++] = whole[i];
    }
    for (size_t i = 0; gf_type_bytes(type) == 8 && i < sizeof wide / sizeof *wide; i++) {
        edges[count++] = wide[i];
    }
    return count;
}

/* Any bits; half of them small, or of moderate floats. */
static inline uint64_t jit_any(gf_type type) {
    uint64_t bits = jit_random(), pick = jit_random() & 3;
    switch (type) {
    case GF_TYPE_BOOL:
        return bits & 1;
    case GF_TYPE_F32:
        return pick == 0 ? (uint32_t)bits : (bits & 0x807fffff) | (127 - 24 + (bits >> 32) % 60) << 23;
    case GF_TYPE_F64:
        return pick == 0 ? bits : (bits & 0x800fffffffffffff) | (1023 - 53 + (jit_random() >> 32) % 120) << 52;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
        bits >>= 32;
        return pick == 0 ? bits : (uint32_t)(bits >> (jit_random() & 31)) ^ (pick == 1 ? UINT32_MAX : 0);
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        return pick == 0 ? bits : bits >> (jit_random() & 63) ^ (pick == 1 ? UINT64_MAX : 0);
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return bits;
}

/* ---- running ---- */

/* Every target against ir/eval.h; NaNs are all alike. `say` names the case. */
static inline void jit_compare(jit_target *targets, const jit_case *it, size_t number, jit_rows *rows,
                               void (*say)(const jit_case *it, char name[128])) {
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t a = it->fixed == 0 ? it->constant : rows->a[i], b = it->fixed == 1 ? it->constant : rows->b[i];
        uint64_t c = it->fixed == 2 ? it->constant : rows->c[i];
        rows->expected[i] = gf_canonical(it->result, it->expect(it, a, b, c));
    }
    for (size_t t = 0; t < JIT_TARGETS; t++) {
        jit_find(&targets[t], number)(rows->a, rows->b, rows->c, rows->out, rows->count);
        for (size_t i = 0; i < rows->count; i++) {
            if (gf_canonical(it->result, rows->out[i]) != rows->expected[i]) {
                char name[128];
                say(it, name);
                fail_msg("%s on %s: of %llx %llx %llx (constant %d: %llx) %llx, not %llx", name, targets[t].name,
                         (unsigned long long)rows->a[i], (unsigned long long)rows->b[i], (unsigned long long)rows->c[i],
                         it->fixed, (unsigned long long)it->constant, (unsigned long long)rows->out[i],
                         (unsigned long long)rows->expected[i]);
            }
        }
    }
}

/* Compiles all cases for all targets, and runs each on the rows that `fill` gives it. */
static inline void jit_run(const jit_case *cases, size_t count, size_t most_rows,
                           void (*fill)(const jit_case *it, jit_rows *rows),
                           void (*say)(const jit_case *it, char name[128])) {
    jit_target targets[JIT_TARGETS];
    jit_rows rows;
    gf_float_mode mode;
    jit_targets(targets);
    for (size_t t = 0; t < JIT_TARGETS; t++) {
        jit_compile(&targets[t], cases, count);
    }
    jit_rows_init(&rows, most_rows);
    gf_float_mode_enter(&mode);
    for (size_t i = 0; i < count; i++) {
        fill(&cases[i], &rows);
        jit_compare(targets, &cases[i], i, &rows, say);
    }
    gf_float_mode_leave(&mode);
    jit_rows_finish(&rows);
    for (size_t t = 0; t < JIT_TARGETS; t++) {
        if (targets[t].jit != NULL) {
            jit_check(LLVMOrcDisposeLLJIT(targets[t].jit));
        }
    }
}

/* That LLVM makes vectors of the loops, with AVX2. */
static inline void jit_expect_vectors(const jit_case *cases, size_t count,
                                      void (*say)(const jit_case *it, char name[128])) {
    jit_target target = {"AVX2", "x86-64-v3", "", "default<O2>", false, false, LLVMCodeGenLevelDefault, NULL};
    gf_ll ll;
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMTargetMachineRef machine = jit_machine(&target);
    jit_build(&ll, &target, machine, cases, count);
    for (size_t i = 0; i < count; i++) {
        char name[32], long_name[128];
        jit_name(name, i);
        say(&cases[i], long_name);
        char *text = LLVMPrintValueToString(LLVMGetNamedFunction(ll.module, name));
        if (strstr(text, "store <") == NULL) {
            fail_msg("%s stays scalar:\n%s", long_name, text);
        }
        LLVMDisposeMessage(text);
    }
    gf_ll_finish(&ll);
    LLVMDisposeTargetMachine(machine);
}

#endif
