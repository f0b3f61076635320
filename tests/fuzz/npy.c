/* Any bytes as a .npy file: read or refused; what is read can be converted. */
#include "io/npy.h"
#include "base/memory.h"
#include "io/convert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const gf_type types[] = {GF_TYPE_U8, GF_TYPE_I64, GF_TYPE_F16, GF_TYPE_F32};
    gf_diags *diags = gf_diags_create();
    gf_array array;
    if (gf_npy_parse(data, size, "x.npy", &array, diags)) {
        (void)gf_array_convert(&array, types[size % 4], "x.npy", diags);
    }
    gf_array_free(&array);
    gf_diags_destroy(diags);
    return 0;
}
