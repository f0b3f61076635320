#include <gridfence/base.h>

#define SPELL_NUMBER(number) #number
#define SPELL(number) SPELL_NUMBER(number)

const char *gf_version(void) {
    return SPELL(GF_VERSION_MAJOR) "." SPELL(GF_VERSION_MINOR) "." SPELL(GF_VERSION_PATCH);
}

const char *gf_type_name(gf_type type) {
    switch (type) {
    case GF_TYPE_NONE:
        return "none";
    case GF_TYPE_BOOL:
        return "bool";
    case GF_TYPE_U8:
        return "u8";
    case GF_TYPE_I8:
        return "i8";
    case GF_TYPE_U16:
        return "u16";
    case GF_TYPE_I16:
        return "i16";
    case GF_TYPE_U32:
        return "u32";
    case GF_TYPE_I32:
        return "i32";
    case GF_TYPE_U64:
        return "u64";
    case GF_TYPE_I64:
        return "i64";
    case GF_TYPE_F16:
        return "f16";
    case GF_TYPE_F32:
        return "f32";
    case GF_TYPE_F64:
        return "f64";
    }
    return "none";
}

size_t gf_type_bytes(gf_type type) {
    switch (type) {
    case GF_TYPE_NONE:
        return 0;
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
        return 1;
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        return 2;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_F32:
        return 4;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_F64:
        return 8;
    }
    return 0;
}
