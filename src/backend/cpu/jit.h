/* LLVM as a compiler in the process: modules to objects, objects to code that can be called. One per device; its
 * functions may be called from many threads at once. */
#ifndef GF_BACKEND_CPU_JIT_H
#define GF_BACKEND_CPU_JIT_H

#include "base/diag.h"
#include <llvm-c/Core.h>

typedef struct gf_jit gf_jit;

/* For the CPU that it runs on. NULL with a message. */
gf_jit *gf_jit_create(gf_diags *diags);
void gf_jit_destroy(gf_jit *jit);

/* The CPU and what it can do, as LLVM spells it; and the version of LLVM. */
const char *gf_jit_cpu(const gf_jit *jit);
const char *gf_jit_features(const gf_jit *jit);
const char *gf_jit_version(const gf_jit *jit);
bool gf_jit_has_feature(const gf_jit *jit, const char *feature);

/* Names the target in the module; before anything is emitted that asks for sizes, and before optimising. */
void gf_jit_target(const gf_jit *jit, LLVMModuleRef module);
bool gf_jit_optimize(const gf_jit *jit, LLVMModuleRef module, gf_diags *diags);
/* The object file; to be freed with LLVMDisposeMemoryBuffer. NULL with a message. */
LLVMMemoryBufferRef gf_jit_object(const gf_jit *jit, LLVMModuleRef module, gf_diags *diags);

/* Code that was loaded. */
typedef struct gf_jit_code {
    void *tracker;
    const void *symbol; /* address of the one symbol asked for */
} gf_jit_code;
bool gf_jit_load(gf_jit *jit, const void *object, size_t bytes, const char *symbol, gf_jit_code *code, gf_diags *diags);
void gf_jit_unload(gf_jit *jit, gf_jit_code *code);

#endif
