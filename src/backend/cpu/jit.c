#include "backend/cpu/jit.h"
#include "base/memory.h"
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* As good on loops as the whole of -O3, in half of its time: what it leaves out is for programs of many functions, or
 * did not change the code of any program in programs/. Unrolling takes a sixth of the time to compile, and without it
 * scan and histogram take a third longer. */
#define COMBINE "instcombine<no-verify-fixpoint>,"
#define PASSES                                                                                                         \
    "always-inline,function(sroa,early-cse<memssa>,simplifycfg," COMBINE "simplifycfg,reassociate,"                    \
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm,loop-rotate,licm,simple-loop-unswitch<no-nontrivial>),"         \
    "simplifycfg," COMBINE "loop(loop-idiom,indvars,loop-deletion),gvn,bdce,"                                          \
    "jump-threading,correlated-propagation,adce,dse,loop-mssa(licm),simplifycfg," COMBINE "loop-vectorize," COMBINE    \
    "simplifycfg<switch-to-lookup;sink-common-insts>,slp-vectorizer,vector-combine,loop-unroll<O2>,sroa," COMBINE      \
    "loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs,simplifycfg)"

/* For functions so large that the time of some of the passes above, which goes with the square, would be minutes. */
#define PASSES_LARGE                                                                                                   \
    "always-inline,function(sroa,early-cse<memssa>,simplifycfg," COMBINE "simplifycfg,early-cse<memssa>,simplifycfg)"
#define LARGE 15000 /* instructions; no program in programs/ has more than 2500 */
/* Where even these would. */
#define PASSES_HUGE "always-inline"
#define HUGE_SIZE 80000

struct gf_jit {
    LLVMTargetRef target;
    char *triple, *cpu, *features;
    LLVMOrcLLJITRef orc;
    char version[32];
};

static bool fail_with(LLVMErrorRef error, const char *what, gf_diags *diags) {
    char *message = LLVMGetErrorMessage(error);
    (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "LLVM failed to %s: %s", what, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* The linker puts what is far away behind a table, so the code need not reckon with 64-bit distances. */
static LLVMTargetMachineRef new_machine(const gf_jit *jit, const char *cpu, const char *features,
                                        LLVMCodeGenOptLevel level) {
    return LLVMCreateTargetMachine(jit->target, jit->triple, cpu, features, level, LLVMRelocPIC, LLVMCodeModelSmall);
}

/* ---- the linker ---- */

typedef struct outside {
    const char *name;
    union {
        void *(*copy)(void *, const void *, size_t);
        void *(*set)(void *, int, size_t);
        int (*compare)(const void *, const void *, size_t);
        float (*one_float)(float);
        double (*one_double)(double);
        float (*three_floats)(float, float, float);
        double (*three_doubles)(double, double, double);
    } at;
} outside;

/* What LLVM may call for an operation that the CPU has no instruction for. Handed over by address: what is in the
 * process under such a name may be something else, or not be visible. Code runs in the mode that rounds to the nearest,
 * ties to even, so rint is roundeven, which C17 does not have. */
static const outside functions[] = {
    {"memcpy", {.copy = memcpy}},        {"memmove", {.copy = memmove}},    {"memset", {.set = memset}},
    {"memcmp", {.compare = memcmp}},     {"bcmp", {.compare = memcmp}},     {"fmaf", {.three_floats = fmaf}},
    {"fma", {.three_doubles = fma}},     {"floorf", {.one_float = floorf}}, {"floor", {.one_double = floor}},
    {"ceilf", {.one_float = ceilf}},     {"ceil", {.one_double = ceil}},    {"truncf", {.one_float = truncf}},
    {"trunc", {.one_double = trunc}},    {"rintf", {.one_float = rintf}},   {"rint", {.one_double = rint}},
    {"sqrtf", {.one_float = sqrtf}},     {"sqrt", {.one_double = sqrt}},    {"roundevenf", {.one_float = rintf}},
    {"roundeven", {.one_double = rint}},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static LLVMErrorRef define_outside(LLVMOrcLLJITRef orc) {
    LLVMOrcCSymbolMapPair pairs[FUNCTIONS];
    for (size_t i = 0; i < FUNCTIONS; i++) {
        uintptr_t address = 0;
        memcpy(&address, &functions[i].at, sizeof address);
        pairs[i] = (LLVMOrcCSymbolMapPair){
            .Name = LLVMOrcLLJITMangleAndIntern(orc, functions[i].name),
            .Sym = {.Address = address,
                    .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable}}};
    }
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, FUNCTIONS);
    LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(orc), unit);
    if (error != NULL) {
        LLVMOrcDisposeMaterializationUnit(unit);
    }
    return error;
}

/* It links what is compiled already, so it is told of a plain CPU: what it would find out about this one takes as long
 * as all the rest. */
static LLVMErrorRef make_linker(gf_jit *jit) {
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(
                                                               new_machine(jit, "", "", LLVMCodeGenLevelDefault)));
    LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit->orc, builder);
    if (error != NULL) {
        jit->orc = NULL;
        return error;
    }
    return define_outside(jit->orc);
}

gf_jit *gf_jit_create(gf_diags *diags) {
    gf_jit *jit = gf_calloc(1, sizeof *jit);
    if (jit == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    char *message = NULL;
    unsigned major = 0, minor = 0, patch = 0;
    LLVMGetVersion(&major, &minor, &patch);
    (void)snprintf(jit->version, sizeof jit->version, "%u.%u.%u", major, minor, patch);
    if (LLVMInitializeNativeTarget() != 0 || LLVMInitializeNativeAsmPrinter() != 0) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "this LLVM cannot compile for the machine it runs on");
        gf_jit_destroy(jit);
        return NULL;
    }
    jit->triple = LLVMGetDefaultTargetTriple();
    jit->cpu = LLVMGetHostCPUName();
    jit->features = LLVMGetHostCPUFeatures();
    if (LLVMGetTargetFromTriple(jit->triple, &jit->target, &message) != 0) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "LLVM has no target: %s", message);
        LLVMDisposeMessage(message);
        gf_jit_destroy(jit);
        return NULL;
    }
    LLVMErrorRef error = make_linker(jit);
    if (error != NULL) {
        (void)fail_with(error, "make its linker", diags);
        gf_jit_destroy(jit);
        return NULL;
    }
    return jit;
}

void gf_jit_destroy(gf_jit *jit) {
    if (jit == NULL) {
        return;
    }
    if (jit->orc != NULL) {
        LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->orc));
    }
    LLVMDisposeMessage(jit->triple);
    LLVMDisposeMessage(jit->cpu);
    LLVMDisposeMessage(jit->features);
    gf_free(jit);
}

const char *gf_jit_cpu(const gf_jit *jit) {
    return jit->cpu;
}

const char *gf_jit_features(const gf_jit *jit) {
    return jit->features;
}

const char *gf_jit_version(const gf_jit *jit) {
    return jit->version;
}

bool gf_jit_has_feature(const gf_jit *jit, const char *feature) {
    size_t length = strlen(feature);
    for (const char *at = jit->features; at != NULL && *at != '\0'; at += *at == ',') {
        size_t part = strcspn(at, ",");
        if (part == length + 1 && *at == '+' && memcmp(at + 1, feature, length) == 0) {
            return true;
        }
        at += part;
    }
    return false;
}

static void set_attribute(LLVMModuleRef module, const char *name, const char *value) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) > 0) {
            LLVMAttributeRef attribute =
                LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
        }
    }
}

/* Instructions of the largest function. */
static size_t size_of(LLVMModuleRef module) {
    size_t most = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        size_t count = 0;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL; block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
                count++;
            }
        }
        most = count > most ? count : most;
    }
    return most;
}

void gf_jit_target(const gf_jit *jit, LLVMModuleRef module) {
    LLVMSetTarget(module, jit->triple);
    LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(jit->orc));
}

bool gf_jit_optimize(const gf_jit *jit, LLVMModuleRef module, gf_diags *diags) {
    LLVMTargetMachineRef machine = new_machine(jit, jit->cpu, jit->features, LLVMCodeGenLevelDefault);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
    LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
    set_attribute(module, "target-cpu", jit->cpu);
    set_attribute(module, "target-features", jit->features);
    if (gf_jit_has_feature(jit, "avx512f")) {
        set_attribute(module, "prefer-vector-width", "512");
    }
    size_t size = size_of(module);
    const char *passes = size > HUGE_SIZE ? PASSES_HUGE : size > LARGE ? PASSES_LARGE : PASSES;
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(machine);
    return error == NULL || fail_with(error, "optimise", diags);
}

LLVMMemoryBufferRef gf_jit_object(const gf_jit *jit, LLVMModuleRef module, gf_diags *diags) {
    LLVMCodeGenOptLevel level = size_of(module) > HUGE_SIZE ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault;
    LLVMTargetMachineRef machine = new_machine(jit, jit->cpu, jit->features, level);
    LLVMMemoryBufferRef object = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object) != 0) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "LLVM failed to emit code: %s", message);
        LLVMDisposeMessage(message);
        object = NULL;
    }
    LLVMDisposeTargetMachine(machine);
    return object;
}

bool gf_jit_load(gf_jit *jit, const void *object, size_t bytes, const char *symbol, gf_jit_code *code,
                 gf_diags *diags) {
    LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit->orc);
    LLVMOrcResourceTrackerRef tracker = LLVMOrcJITDylibCreateResourceTracker(library);
    /* The buffer passes to LLVM. */
    LLVMMemoryBufferRef copy = LLVMCreateMemoryBufferWithMemoryRangeCopy(object, bytes, symbol);
    LLVMErrorRef error = LLVMOrcLLJITAddObjectFileWithRT(jit->orc, tracker, copy);
    LLVMOrcExecutorAddress address = 0;
    if (error == NULL) {
        error = LLVMOrcLLJITLookup(jit->orc, &address, symbol);
    }
    if (error != NULL) {
        LLVMConsumeError(LLVMOrcResourceTrackerRemove(tracker));
        LLVMOrcReleaseResourceTracker(tracker);
        return fail_with(error, "load code", diags);
    }
    code->tracker = tracker;
    code->symbol = (const void *)(uintptr_t)address;
    return true;
}

void gf_jit_unload(gf_jit *jit, gf_jit_code *code) {
    (void)jit;
    if (code->tracker != NULL) {
        LLVMConsumeError(LLVMOrcResourceTrackerRemove(code->tracker));
        LLVMOrcReleaseResourceTracker(code->tracker);
    }
    code->tracker = NULL;
    code->symbol = NULL;
}
