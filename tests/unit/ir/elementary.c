/* The elementary functions: ends, exact results, errors against long double, and that they are nothing but the
 * sequence of operations that their text records. */
#include "ir/elementary.h"

#include "unit/ir/elementary_tape.h"
#include "unit/unit.h"

#include <float.h>

typedef struct function {
    const char *name;
    float (*single)(float);
    double (*wide)(double);
    float (*single2)(float, float);
    double (*wide2)(double, double);
    tape_float (*record_single)(tape *, tape_float);
    tape_float (*record_wide)(tape *, tape_float);
    long double (*want)(long double);
    uint64_t tape_single, tape_wide; /* hashes of the sequences: the same from every compiler, until a text changes */
} function;

#define ROW(name, tape_single, tape_wide)                                                                              \
    {                                                                                                                  \
#name, gf_##name##_f32, gf_##name##_f64, NULL, NULL, tape_##name##_f32, tape_##name##_f64, name##l,            \
            tape_single, tape_wide                                                                                     \
    }
static const function functions[] = {
    ROW(exp2, 0xe35e64b1f0b0b07a, 0x161579018c325b71),
    ROW(log2, 0x023a35375f6287c3, 0x27068a5ae49864b2),
    ROW(exp, 0xf2e04fe5bc276b47, 0x66348847ed0dbfeb),
    ROW(log, 0xa456f8ea04d6f678, 0x3ec1eaa32d9f0942),
    ROW(sin, 0x327576c0b16f79d5, 0x5186724241c49806),
    ROW(cos, 0x4aa05ed0f8a3ce06, 0x62a76e1b9b7596e5),
    ROW(tanh, 0x03c1435ac049a001, 0xc8dda87e5dbdfa11),
    {"pow", NULL, NULL, gf_pow_f32, gf_pow_f64, NULL, NULL, NULL, 0xc79184fe2e61b69f, 0x6022279cdd521538},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0], POW = FUNCTIONS - 1 };

static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static float single_of(uint64_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double wide_of(uint64_t bits) {
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint64_t bits_of(double x, unsigned width) {
    return tape_pattern(x, width);
}

static double call(const function *f, unsigned width, double x, double y) {
    if (f->single2 != NULL) {
        return width == 32 ? (double)f->single2((float)x, (float)y) : f->wide2(x, y);
    }
    return width == 32 ? (double)f->single((float)x) : f->wide(x);
}

/* ---- ends ---- */

static void expect(const function *f, unsigned width, double x, double y, double want) {
    double got = call(f, width, x, y);
    bool same = isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
    if (!same) {
        fail_msg("%s(%a, %a) of %u bits: %a, not %a", f->name, x, y, width, got, want);
    }
}

enum { EXP2, LOG2, EXP, LOG, SIN, COS, TANH };

static void test_ends(void **state) {
    (void)state;
    static const struct {
        unsigned function;
        double x, want;
    } rows[] = {
        {EXP2, 0.0, 1},
        {EXP2, -0.0, 1},
        {EXP2, INFINITY, INFINITY},
        {EXP2, -INFINITY, 0},
        {EXP2, NAN, NAN},
        {EXP2, 1e30, INFINITY},
        {EXP2, -1e30, 0},
        {EXP2, 10, 1024},
        {EXP2, -1, 0.5},
        {LOG2, 1, 0},
        {LOG2, 2, 1},
        {LOG2, 0.5, -1},
        {LOG2, 0.0, -INFINITY},
        {LOG2, -0.0, -INFINITY},
        {LOG2, -1, NAN},
        {LOG2, -INFINITY, NAN},
        {LOG2, NAN, NAN},
        {LOG2, 1024, 10},
        {LOG2, INFINITY, INFINITY},
        {EXP, 0.0, 1},
        {EXP, -0.0, 1},
        {EXP, INFINITY, INFINITY},
        {EXP, -INFINITY, 0},
        {EXP, NAN, NAN},
        {EXP, 1e30, INFINITY},
        {EXP, -1e30, 0},
        {LOG, 1, 0},
        {LOG, 0.0, -INFINITY},
        {LOG, -0.0, -INFINITY},
        {LOG, -1e-30, NAN},
        {LOG, -INFINITY, NAN},
        {LOG, NAN, NAN},
        {LOG, INFINITY, INFINITY},
        {SIN, 0.0, 0.0},
        {SIN, -0.0, -0.0},
        {SIN, INFINITY, NAN},
        {SIN, -INFINITY, NAN},
        {SIN, NAN, NAN},
        {COS, 0.0, 1},
        {COS, -0.0, 1},
        {COS, INFINITY, NAN},
        {COS, -INFINITY, NAN},
        {COS, NAN, NAN},
        {TANH, 0.0, 0.0},
        {TANH, -0.0, -0.0},
        {TANH, INFINITY, 1},
        {TANH, -INFINITY, -1},
        {TANH, NAN, NAN},
        {TANH, 1e30, 1},
        {TANH, -1e30, -1},
        {COS, 1e-30, 1},
        {SIN, 1e-30f, 1e-30f},
        {EXP, 1e-30, 1},
        {EXP2, -1e-30, 1},
        {TANH, -1e-30f, -1e-30f},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect(&functions[rows[i].function], 32, rows[i].x, 0, rows[i].want);
        expect(&functions[rows[i].function], 64, rows[i].x, 0, rows[i].want);
    }
}

static void test_ends_of_pow(void **state) {
    (void)state;
    static const struct {
        double x, y, want;
    } rows[] = {
        {0.0, -3, INFINITY},
        {-0.0, -3, -INFINITY},
        {0.0, -2, INFINITY},
        {-0.0, -2, INFINITY},
        {-0.0, -2.5, INFINITY},
        {0.0, -INFINITY, INFINITY},
        {-0.0, -INFINITY, INFINITY},
        {0.0, 3, 0.0},
        {-0.0, 3, -0.0},
        {-0.0, 2, 0.0},
        {-0.0, 0.5, 0.0},
        {0.0, 1e-30, 0.0},
        {0.0, INFINITY, 0.0},
        {-1, INFINITY, 1},
        {-1, -INFINITY, 1},
        {1, NAN, 1},
        {1, INFINITY, 1},
        {1, -1e30, 1},
        {NAN, 0.0, 1},
        {NAN, -0.0, 1},
        {INFINITY, 0.0, 1},
        {0.0, 0.0, 1},
        {-5, -0.0, 1},
        {-2, 0.5, NAN},
        {-2, -1e-30, NAN},
        {-2, 3, -8},
        {-2, 4, 16},
        {-2, -3, -0.125},
        {0.5, -INFINITY, INFINITY},
        {-0.5, -INFINITY, INFINITY},
        {2, -INFINITY, 0.0},
        {-2, -INFINITY, 0.0},
        {0.5, INFINITY, 0.0},
        {-0.5, INFINITY, 0.0},
        {2, INFINITY, INFINITY},
        {-2, INFINITY, INFINITY},
        {-INFINITY, -3, -0.0},
        {-INFINITY, -2, 0.0},
        {-INFINITY, -0.5, 0.0},
        {-INFINITY, 3, -INFINITY},
        {-INFINITY, 2, INFINITY},
        {-INFINITY, 0.5, INFINITY},
        {INFINITY, -1e-30, 0.0},
        {INFINITY, 1e-30, INFINITY},
        {INFINITY, INFINITY, INFINITY},
        {INFINITY, -INFINITY, 0.0},
        {-INFINITY, INFINITY, INFINITY},
        {NAN, 1, NAN},
        {2, NAN, NAN},
        {0.0, NAN, NAN},
        {-INFINITY, NAN, NAN},
        {NAN, INFINITY, NAN},
        {2, 1e30, INFINITY},
        {-2, 1e30, INFINITY},
        {2, -1e30, 0.0},
        {3, 1e-30, 1},
        {1e-30f, 1, 1e-30f},
        {-1e-30f, 1, -1e-30f},
        {9, 0.5, 3},
        {-1, 16777215, -1},
        {-1, 16777216, 1},
        {-1e30f, 1001, -INFINITY},
        {-1e30f, -1001, -0.0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect(&functions[POW], 32, rows[i].x, rows[i].y, rows[i].want);
        expect(&functions[POW], 64, rows[i].x, rows[i].y, rows[i].want);
    }
    expect(&functions[POW], 64, -1, 0x1.fffffffffffffp52, -1);
    expect(&functions[POW], 64, -1, 0x1p53, 1);
    expect(&functions[POW], 64, 1 + 0x1p-52, 0x1p63, INFINITY);
    expect(&functions[POW], 32, 1 - 0x1p-24, 0x1p32, 0);
}

static void test_exact(void **state) {
    (void)state;
    for (int k = -1100; k <= 1030; k++) {
        double power = ldexp(1, k);
        expect(&functions[EXP2], 64, k, 0, power);
        expect(&functions[EXP2], 32, k, 0, (double)(float)power);
        expect(&functions[POW], 64, 2, k, power);
        expect(&functions[POW], 32, 2, k, (double)(float)power);
        expect(&functions[POW], 64, 0.5, -k, power);
        if (k >= -1074 && k <= 1023) {
            expect(&functions[LOG2], 64, power, 0, k);
        }
        if (k >= -149 && k <= 127) {
            expect(&functions[LOG2], 32, power, 0, k);
        }
    }
    for (int base = -15; base <= 15; base++) {
        double power = 1;
        for (int n = 0; fabs(power) < 0x1p53; n++, power *= base) {
            expect(&functions[POW], 64, base, n, power);
            if (fabs(power) < 0x1p24) {
                expect(&functions[POW], 32, base, n, power);
            }
            if (n > 60) {
                break;
            }
        }
    }
}

static void test_subnormal(void **state) {
    (void)state;
    static const unsigned same[] = {SIN, TANH};
    for (unsigned i = 0; i < 2; i++) {
        for (int k = -1074; k < -1000; k++) {
            expect(&functions[same[i]], 64, ldexp(3, k), 0, ldexp(3, k));
            expect(&functions[same[i]], 32, ldexp(-3, k + 925), 0, ldexp(-3, k + 925));
        }
    }
    expect(&functions[EXP2], 32, -149.49f, 0, 0x1p-149);
    expect(&functions[EXP2], 32, -150, 0, 0);
    expect(&functions[EXP2], 32, -149.99f, 0, 0x1p-149);
    expect(&functions[EXP2], 32, 127.99999f, 0, 0x1.ffff4ep127);
    expect(&functions[EXP2], 32, 128, 0, INFINITY);
    expect(&functions[EXP2], 64, -1075, 0, 0);
    expect(&functions[EXP2], 64, -1074.99, 0, 0x1p-1074);
    expect(&functions[EXP2], 64, 1024, 0, INFINITY);
    expect(&functions[EXP], 32, 88.72284f, 0, INFINITY);
    expect(&functions[EXP], 32, -103.98f, 0, 0);
    expect(&functions[EXP], 32, -103.97f, 0, 0x1p-149);
    expect(&functions[EXP], 64, 709.79, 0, INFINITY);
    expect(&functions[EXP], 64, -745.14, 0, 0);
    expect(&functions[EXP], 64, -745.13, 0, 0x1p-1074);
    expect(&functions[POW], 64, 0x1p-1074, 1, 0x1p-1074);
    expect(&functions[POW], 64, -0x1.8p-1073, 1, -0x1.8p-1073);
    expect(&functions[POW], 32, 0x1p-149, -1, INFINITY);
    expect(&functions[POW], 32, 0x1p-75, 2, 0);
    expect(&functions[POW], 32, 0x1.8p-75, 2, 0x1p-149);
}

/* ---- order ---- */

static void test_rises(void **state) {
    (void)state;
    static const struct {
        unsigned function;
        double from, to;
    } rows[] = {{EXP2, -151, 129},  {EXP2, -1076, 1025}, {EXP, -104, 89}, {EXP, -746, 710},
                {LOG2, 0x1p-12, 8}, {LOG, 0x1p-12, 8},   {TANH, -10, 10}, {SIN, -1.5, 1.5}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned width = 32; width <= 64; width += 32) {
            double before = -INFINITY;
            for (int n = 0; n <= 20000; n++) {
                double x = rows[i].from + (rows[i].to - rows[i].from) * n / 20000;
                double y = call(&functions[rows[i].function], width, (float)x, 0);
                if (!(y >= before)) {
                    fail_msg("%s of %u bits falls at %a", functions[rows[i].function].name, width, x);
                }
                before = y;
            }
        }
    }
}

/* ---- errors ---- */

/* In units of the last place of the exact result; an overflow counts as the power of two behind the largest float. */
static double error_of(double got, long double want, unsigned width) {
    int digits = width == 32 ? 24 : 53, least = width == 32 ? -125 : -1021;
    long double limit = ldexpl(1, width == 32 ? 128 : 1024);
    if (isnan(got) || isnan(want)) {
        return isnan(got) && isnan(want) ? 0 : INFINITY;
    }
    if (!signbit(got) != !signbit(want)) {
        return INFINITY;
    }
    long double a = isinf(got) ? copysignl(limit, got) : (long double)got;
    long double b = fabsl(want) > limit ? copysignl(limit, want) : want;
    int e;
    (void)frexpl(b, &e);
    return (double)ldexpl(fabsl(a - b), digits - (b == 0 || e < least ? least : e));
}

static void check_error(const function *f, unsigned width, double x, double y) {
    double bound = LDBL_MANT_DIG > DBL_MANT_DIG || width == 32 ? 1 : 2; /* where want is no better than got */
    double got = call(f, width, x, y);
    long double want = f->want != NULL ? f->want(x) : powl(x, y);
    double error = error_of(got, want, width);
    if (!(error < bound)) {
        fail_msg("%s(%a, %a) of %u bits: %a has an error of %g units", f->name, x, y, width, got, error);
    }
}

static void test_error_over_all_inputs(void **state) {
    (void)state;
    for (unsigned i = 0; i < POW; i++) {
        for (uint64_t bits = 0; bits >> 32 == 0; bits += 65521) {
            check_error(&functions[i], 32, single_of(bits), 0);
        }
        for (uint64_t n = 0; n < 65536; n++) {
            check_error(&functions[i], 64, wide_of(n * 0x0000fffffffffff1), 0);
        }
    }
}

static void test_error_where_it_matters(void **state) {
    (void)state;
    uint64_t random = 1;
    for (unsigned i = 0; i < 20000; i++) {
        double u = (double)(next_random(&random) >> 11) * 0x1p-53;
        check_error(&functions[EXP], 64, u * 1460 - 748, 0);
        check_error(&functions[EXP2], 64, u * 2104 - 1078, 0);
        check_error(&functions[LOG], 64, u * 2, 0);
        check_error(&functions[LOG2], 64, u * 2, 0);
        check_error(&functions[LOG], 64, 1 + ldexp(u, -(int)(i % 52)), 0);
        check_error(&functions[LOG2], 64, 1 - ldexp(u, -(int)(i % 52)), 0);
        check_error(&functions[TANH], 64, u * 4 - 2, 0);
        check_error(&functions[POW], 64, u * 4, (double)(next_random(&random) >> 11) * 0x1p-47 - 32);
        check_error(&functions[POW], 32, (float)(u * 4), (float)((double)(next_random(&random) >> 40) * 0x1p-18 - 32));
        double turns = floor(ldexp(u, (int)(i % 50)));
        check_error(&functions[SIN], 64, turns * 1.5707963267948966, 0);
        check_error(&functions[COS], 64, turns * 1.5707963267948966, 0);
        check_error(&functions[SIN], 32, (float)(turns * 1.5707963267948966), 0);
        check_error(&functions[COS], 32, (float)(turns * 1.5707963267948966), 0);
    }
}

/* 6381956970095103 * 2^797 is the f64 nearest of all to a multiple of pi/2; the values are from 400 bits. */
static void test_hardest_angle(void **state) {
    (void)state;
    double x = ldexp(6381956970095103.0, 797);
    expect(&functions[COS], 64, x, 0, -0x1.14ae72e6ba22fp-61);
    expect(&functions[SIN], 64, x, 0, 1);
    expect(&functions[SIN], 64, -x, 0, -1);
}

/* ---- the sequence ---- */

static void record(const function *f, unsigned width, tape *t) {
    t->width = width;
    t->count = 0;
    tape_float x = {tape_add(t, TAPE_ARGUMENT, 0, 0, 0, 0)};
    tape_float y;
    if (f->single != NULL) {
        y = width == 32 ? f->record_single(t, x) : f->record_wide(t, x);
    } else {
        tape_float second = {tape_add(t, TAPE_ARGUMENT, 0, 0, 0, 1)};
        y = width == 32 ? tape_pow_f32(t, x, second) : tape_pow_f64(t, x, second);
    }
    t->result = y.at;
    assert_true(t->count < TAPE_NODES);
}

static uint64_t hash(const tape *t) {
    uint64_t h = 0xcbf29ce484222325;
    for (unsigned i = 0; i < t->count; i++) {
        const tape_node *n = &t->nodes[i];
        uint64_t words[] = {n->op, n->operand[0], n->operand[1], n->operand[2], n->constant};
        for (unsigned w = 0; w < 5; w++) {
            h = (h ^ words[w]) * 0x100000001b3;
            h ^= h >> 29;
        }
    }
    return h;
}

/* What is computed and not used would cost every device time. */
static unsigned count_operations(const tape *t) {
    static bool used[TAPE_NODES + 1];
    memset(used, 0, sizeof used);
    used[t->result] = true;
    unsigned operations = 0;
    for (unsigned i = t->count; i-- > 0;) {
        const tape_node *n = &t->nodes[i];
        bool real = n->op != TAPE_ARGUMENT && n->op != TAPE_CONSTANT;
        assert_true(used[i] || !real);
        operations += real;
        for (unsigned k = 0; k < tape_arity(n->op); k++) {
            assert_true(n->operand[k] < i);
            used[n->operand[k]] = true;
        }
    }
    return operations;
}

static void compare(const function *f, const tape *t, double x, double y) {
    double got = call(f, t->width, x, y);
    uint64_t a = bits_of(x, t->width), b = bits_of(y, t->width);
    uint64_t run = t->width == 32 ? tape_run_f32(t, a, b) : tape_run_f64(t, a, b);
    double value = t->width == 32 ? (double)single_of(run) : wide_of(run);
    if (isnan(got) ? !isnan(value) : bits_of(got, t->width) != run) {
        fail_msg("%s(%a, %a) of %u bits: %a, the tape gives %a", f->name, x, y, t->width, got, value);
    }
}

static void test_tape_gives_the_same_bits(void **state) {
    (void)state;
    static const double ends[] = {0.0, -0.0, 1,     -1,    0.5,    2,        -2,        3,     -3,
                                  127, 128,  -149,  -150,  1023,   1024,     -1074,     -1075, 0x1p-149,
                                  1e9, 1e30, 1e-30, 1e300, 1e-300, INFINITY, -INFINITY, NAN,   0x1p-1074};
    enum { ENDS = sizeof ends / sizeof ends[0] };
    static tape t;
    uint64_t random = 7;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        for (unsigned width = 32; width <= 64; width += 32) {
            record(&functions[i], width, &t);
            for (unsigned n = 0; n < ENDS * ENDS; n++) {
                compare(&functions[i], &t, ends[n / ENDS], ends[n % ENDS]);
            }
            for (unsigned n = 0; n < 4000; n++) {
                uint64_t a = next_random(&random), b = next_random(&random);
                double x = width == 32 ? (double)single_of(a) : wide_of(a);
                double y = width == 32 ? (double)single_of(b) : wide_of(b);
                compare(&functions[i], &t, x, y);
                compare(&functions[i], &t, (double)(a >> 32) * 0x1p-29, (double)(int32_t)b * 0x1p-25);
                compare(&functions[i], &t, (float)((double)(int32_t)a * 0x1p-24), 1);
            }
        }
    }
}

static void test_tape_is_the_same_everywhere(void **state) {
    (void)state;
    static tape t;
    bool same = true;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        for (unsigned width = 32; width <= 64; width += 32) {
            record(&functions[i], width, &t);
            unsigned operations = count_operations(&t);
            uint64_t want = width == 32 ? functions[i].tape_single : functions[i].tape_wide;
            if (hash(&t) != want) {
                same = false;
                print_error("%s of %u bits, %u operations: 0x%016llx\n", functions[i].name, width, operations,
                            (unsigned long long)hash(&t));
            }
        }
    }
    assert_true(same);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_ends_of_pow),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_subnormal),
        cmocka_unit_test(test_rises),
        cmocka_unit_test(test_error_over_all_inputs),
        cmocka_unit_test(test_error_where_it_matters),
        cmocka_unit_test(test_hardest_angle),
        cmocka_unit_test(test_tape_gives_the_same_bits),
        cmocka_unit_test(test_tape_is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
