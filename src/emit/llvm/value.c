/* What the other files of values stand on: the module, types, constants, calls of intrinsics. */
#include "emit/llvm/value.h"

#include <string.h>

bool gf_ll_init(gf_ll *ll, const char *name) {
    memset(ll, 0, sizeof *ll);
    ll->context = LLVMContextCreate();
    if (ll->context == NULL) {
        return false;
    }
    ll->module = LLVMModuleCreateWithNameInContext(name, ll->context);
    ll->builder = LLVMCreateBuilderInContext(ll->context);
    if (ll->module == NULL || ll->builder == NULL) {
        gf_ll_finish(ll);
        return false;
    }
    ll->i1 = LLVMInt1TypeInContext(ll->context);
    ll->i8 = LLVMInt8TypeInContext(ll->context);
    ll->i16 = LLVMInt16TypeInContext(ll->context);
    ll->i32 = LLVMInt32TypeInContext(ll->context);
    ll->i64 = LLVMInt64TypeInContext(ll->context);
    ll->half = LLVMHalfTypeInContext(ll->context);
    ll->f32 = LLVMFloatTypeInContext(ll->context);
    ll->f64 = LLVMDoubleTypeInContext(ll->context);
    ll->ptr = LLVMPointerTypeInContext(ll->context, 0);
    ll->nothing = LLVMVoidTypeInContext(ll->context);
    return true;
}

void gf_ll_finish(gf_ll *ll) {
    if (ll->builder != NULL) {
        LLVMDisposeBuilder(ll->builder);
    }
    if (ll->module != NULL) {
        LLVMDisposeModule(ll->module);
    }
    if (ll->context != NULL) {
        LLVMContextDispose(ll->context);
    }
    memset(ll, 0, sizeof *ll);
}

LLVMTypeRef gf_ll_type(const gf_ll *ll, gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
        return ll->i1;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
        return ll->i32;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        return ll->i64;
    case GF_TYPE_F32:
        return ll->f32;
    case GF_TYPE_F64:
        return ll->f64;
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return ll->nothing;
}

LLVMTypeRef gf_ll_stored(const gf_ll *ll, gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
        return ll->i8;
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        return ll->i16;
    case GF_TYPE_NONE:
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        break;
    }
    return gf_ll_type(ll, type);
}

LLVMValueRef gf_ll_bits(const gf_ll *ll, gf_type type, uint64_t bits) {
    if (type == GF_TYPE_F32) {
        return LLVMConstBitCast(LLVMConstInt(ll->i32, (uint32_t)bits, false), ll->f32);
    }
    if (type == GF_TYPE_F64) {
        return LLVMConstBitCast(LLVMConstInt(ll->i64, bits, false), ll->f64);
    }
    uint64_t mask = type == GF_TYPE_BOOL ? 1 : gf_type_bytes(type) == 4 ? UINT32_MAX : UINT64_MAX;
    return LLVMConstInt(gf_ll_type(ll, type), bits & mask, false);
}

LLVMValueRef gf_ll_call_intrinsic(gf_ll *ll, const char *name, LLVMTypeRef overloaded, LLVMValueRef *args,
                                  unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef *types = overloaded != NULL ? &overloaded : NULL;
    size_t type_count = overloaded != NULL ? 1 : 0;
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(ll->module, id, types, type_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(ll->context, id, types, type_count);
    return LLVMBuildCall2(ll->builder, type, function, args, count, "");
}
