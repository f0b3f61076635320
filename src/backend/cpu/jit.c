#include "backend/cpu/jit.h"
#include "base/memory.h"
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

/* As good on loops as the whole of -O3, in two thirds of its time: what it leaves out is for programs of many
 * functions. */
#define COMBINE "instcombine<no-verify-fixpoint>,"
#define PASSES                                                                                                         \
    "always-inline,function(sroa,early-cse<memssa>,simplifycfg," COMBINE "simplifycfg,reassociate,"                    \
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm,loop-rotate,licm,simple-loop-unswitch<no-nontrivial>),"         \
    "simplifycfg," COMBINE "loop(loop-idiom,indvars,loop-deletion),sroa,gvn,sccp,bdce," COMBINE                        \
    "jump-threading,correlated-propagation,adce,dse,loop-mssa(licm),simplifycfg," COMBINE                              \
    "loop-rotate,loop-distribute,loop-vectorize,infer-alignment,loop-load-elim," COMBINE                               \
    "simplifycfg<switch-to-lookup;sink-common-insts>,slp-vectorizer,vector-combine," COMBINE                           \
    "loop-unroll<O2>,sroa," COMBINE                                                                                    \
    "loop-mssa(licm),alignment-from-assumptions,loop-sink,instsimplify,div-rem-pairs,simplifycfg)"

struct gf_jit {
    LLVMTargetRef target;
    char *triple, *cpu, *features;
    char *layout;
    LLVMOrcLLJITRef orc;
    char version[32];
};

static bool fail_with(LLVMErrorRef error, const char *what, gf_diags *diags) {
    char *message = LLVMGetErrorMessage(error);
    (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "LLVM failed to %s: %s", what, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static LLVMTargetMachineRef new_machine(const gf_jit *jit) {
    return LLVMCreateTargetMachine(jit->target, jit->triple, jit->cpu, jit->features, LLVMCodeGenLevelDefault,
                                   LLVMRelocPIC, LLVMCodeModelJITDefault);
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
    LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit->orc, NULL);
    if (error != NULL) {
        (void)fail_with(error, "make its linker", diags);
        gf_jit_destroy(jit);
        return NULL;
    }
    LLVMTargetMachineRef machine = new_machine(jit);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    jit->layout = LLVMCopyStringRepOfTargetData(layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeTargetMachine(machine);
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
    LLVMDisposeMessage(jit->layout);
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

void gf_jit_target(const gf_jit *jit, LLVMModuleRef module) {
    LLVMSetTarget(module, jit->triple);
    LLVMSetDataLayout(module, jit->layout);
}

bool gf_jit_optimize(const gf_jit *jit, LLVMModuleRef module, gf_diags *diags) {
    LLVMTargetMachineRef machine = new_machine(jit);
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
    LLVMErrorRef error = LLVMRunPasses(module, PASSES, machine, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(machine);
    return error == NULL || fail_with(error, "optimise", diags);
}

LLVMMemoryBufferRef gf_jit_object(const gf_jit *jit, LLVMModuleRef module, gf_diags *diags) {
    LLVMTargetMachineRef machine = new_machine(jit);
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
