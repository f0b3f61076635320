#include "ir/elementary.h"

#include "ir/elementary_values.h"

#define EL_W f32
#include "ir/elementary_f32.inc"
#undef EL_W
#define EL_W f64
#include "ir/elementary_f64.inc"
#undef EL_W

#define ONE_ARGUMENT(name)                                                                                             \
    float gf_##name##_f32(float x) {                                                                                   \
        return el_##name##_f32(x);                                                                                     \
    }                                                                                                                  \
    double gf_##name##_f64(double x) {                                                                                 \
        return el_##name##_f64(x);                                                                                     \
    }

ONE_ARGUMENT(exp2)
ONE_ARGUMENT(log2)
ONE_ARGUMENT(exp)
ONE_ARGUMENT(log)
ONE_ARGUMENT(sin)
ONE_ARGUMENT(cos)
ONE_ARGUMENT(tanh)

float gf_pow_f32(float x, float y) {
    return el_pow_f32(x, y);
}

double gf_pow_f64(double x, double y) {
    return el_pow_f64(x, y);
}
