/* A machine for straight PTX code: what the emitter writes for single values, one line after another. Where the
 * instruction set leaves something open (a register that nobody wrote, a division by zero) it stops and says so; a NaN
 * that arithmetic makes has other bits than the one NaN, as on a GPU. */
#ifndef GF_TESTS_PTX_MACHINE_H
#define GF_TESTS_PTX_MACHINE_H

#include "emit/ptx/value.h"
#include "ir/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PTX_WORDS = 6, PTX_REGISTERS = 4096, PTX_CODE = 8192 };

typedef struct ptx_place {
    bool is_constant, is_memory;
    int class, number; /* of the register */
    uint64_t bits;     /* of the constant; offset in memory */
} ptx_place;

typedef struct ptx_step ptx_step;
typedef struct ptx_machine ptx_machine;
struct ptx_step {
    void (*run)(ptx_machine *m, const ptx_step *step);
    char text[96];
    char name[32];            /* up to the first dot */
    char words[PTX_WORDS][8]; /* what follows, without the types */
    char types[2][8];         /* the last words that are types: "s32"; of cvt two */
    int width;                /* of types[0], in bits; 1 for pred */
    bool is_signed, is_float; /* of types[0] */
    size_t count;
    ptx_place places[5];
};

struct ptx_machine {
    uint64_t registers[GF_PTX_CLASSES][PTX_REGISTERS];
    bool written[GF_PTX_CLASSES][PTX_REGISTERS];
    ptx_step code[PTX_CODE];
    size_t count;
    const char *why; /* it stopped */
    const ptx_step *at;
};

/* ---- bits ---- */

static inline float ptx_f32(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}
static inline double ptx_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t ptx_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT32_C(0x7fffffff) : bits;
}
static inline uint64_t ptx_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT64_C(0x7fffffffffffffff) : bits;
}
static inline uint64_t ptx_mask(int width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static inline int64_t ptx_signed(int width, uint64_t bits) {
    bits &= ptx_mask(width);
    return (int64_t)(bits >> (width - 1) & 1 ? bits | ~ptx_mask(width) : bits);
}

static inline void ptx_stop(ptx_machine *m, const ptx_step *step, const char *why) {
    if (m->why == NULL) {
        m->why = why;
        m->at = step;
    }
}

static inline uint64_t ptx_get(ptx_machine *m, const ptx_step *step, size_t i) {
    const ptx_place *place = &step->places[i];
    if (i >= step->count) {
        ptx_stop(m, step, "too few operands");
        return 0;
    }
    if (place->is_constant) {
        return place->bits;
    }
    if (!m->written[place->class][place->number]) {
        ptx_stop(m, step, "reads a register that nobody wrote");
    }
    return m->registers[place->class][place->number];
}

static inline void ptx_set(ptx_machine *m, const ptx_step *step, uint64_t bits) {
    static const int widths[GF_PTX_CLASSES] = {1, 32, 64, 32, 64, 16};
    const ptx_place *place = &step->places[0];
    if (place->is_constant || place->is_memory) {
        ptx_stop(m, step, "writes no register");
        return;
    }
    m->registers[place->class][place->number] = bits & ptx_mask(widths[place->class]);
    m->written[place->class][place->number] = true;
}

static inline bool ptx_has(const ptx_step *step, const char *word) {
    for (int i = 0; i < PTX_WORDS; i++) {
        if (strcmp(step->words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- instructions ---- */

static inline void ptx_run_mov(ptx_machine *m, const ptx_step *step) {
    ptx_set(m, step, ptx_get(m, step, 1));
}

static inline void ptx_run_logic(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1);
    if (strcmp(step->name, "not") == 0) {
        ptx_set(m, step, ~a);
        return;
    }
    uint64_t b = ptx_get(m, step, 2);
    ptx_set(m, step, step->name[0] == 'a' ? a & b : step->name[0] == 'o' ? a | b : a ^ b);
}

static inline uint64_t ptx_product(const ptx_step *step, uint64_t a, uint64_t b) {
    if (!ptx_has(step, "hi")) {
        return a * b;
    }
    if (step->width == 32) {
        return (step->is_signed ? (uint64_t)(ptx_signed(32, a) * ptx_signed(32, b)) : (uint32_t)a * (b & UINT32_MAX)) >>
               32;
    }
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    if (step->is_signed) {
        high -= (a >> 63 ? b : 0) + (b >> 63 ? a : 0);
    }
    return high;
}

static inline uint64_t ptx_quotient(ptx_machine *m, const ptx_step *step, uint64_t a, uint64_t b) {
    bool rest = step->name[0] == 'r';
    a &= ptx_mask(step->width);
    b &= ptx_mask(step->width);
    uint64_t least = UINT64_C(1) << (step->width - 1);
    if (b == 0 || (step->is_signed && a == least && b == ptx_mask(step->width))) {
        ptx_stop(m, step, "divides where that is not defined");
        return 0;
    }
    if (!step->is_signed) {
        return rest ? a % b : a / b;
    }
    int64_t x = ptx_signed(step->width, a), y = ptx_signed(step->width, b);
    return (uint64_t)(rest ? x % y : x / y);
}

/* add sub mul mad div rem min max of integers */
static inline void ptx_run_integer(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1), b = ptx_get(m, step, 2), result = 0;
    int64_t x = ptx_signed(step->width, a), y = ptx_signed(step->width, b);
    bool below = step->is_signed ? x < y : (a & ptx_mask(step->width)) < (b & ptx_mask(step->width));
    switch (step->name[0] << 8 | step->name[1]) {
    case 'a' << 8 | 'd':
        result = a + b;
        break;
    case 's' << 8 | 'u':
        result = a - b;
        break;
    case 'm' << 8 | 'u':
        result = ptx_product(step, a, b);
        break;
    case 'm' << 8 | 'i':
        result = below ? a : b;
        break;
    case 'm' << 8 | 'a':
        result = strcmp(step->name, "mad") == 0 ? ptx_product(step, a, b) + ptx_get(m, step, 3) : below ? b : a;
        break;
    default:
        result = ptx_quotient(m, step, a, b);
    }
    ptx_set(m, step, result);
}

static inline double ptx_extreme(bool least, double a, double b) {
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    bool first = a < b || (a == b && signbit(a));
    return first == least ? a : b;
}

/* add sub mul div min max of floats; fma, sqrt */
static inline void ptx_run_float(ptx_machine *m, const ptx_step *step) {
    uint64_t i = ptx_get(m, step, 1), k = step->count > 2 ? ptx_get(m, step, 2) : 0;
    uint64_t l = step->count > 3 ? ptx_get(m, step, 3) : 0;
    float a = ptx_f32(i), b = ptx_f32(k), r = 0;
    double x = ptx_f64(i), y = ptx_f64(k), s = 0;
    bool extreme = strcmp(step->name, "min") == 0 || strcmp(step->name, "max") == 0;
    if (!extreme && !ptx_has(step, "rn")) {
        ptx_stop(m, step, "rounds as it likes");
    }
    switch (step->name[0]) {
    case 'a':
        r = a + b, s = x + y;
        break;
    case 's':
        r = step->name[1] == 'q' ? sqrtf(a) : a - b, s = step->name[1] == 'q' ? sqrt(x) : x - y;
        break;
    case 'd':
        r = a / b, s = x / y;
        break;
    case 'f':
        r = fmaf(a, b, ptx_f32(l)), s = fma(x, y, ptx_f64(l));
        break;
    default:
        r = extreme ? (float)ptx_extreme(step->name[1] == 'i', (double)a, (double)b) : a * b;
        s = extreme ? ptx_extreme(step->name[1] == 'i', x, y) : x * y;
    }
    ptx_set(m, step, step->width == 32 ? ptx_of_f32(r) : ptx_of_f64(s));
}

static inline void ptx_run_sign(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1), top = UINT64_C(1) << (step->width - 1);
    bool absolute = step->name[0] == 'a';
    if (step->is_float) {
        ptx_set(m, step, absolute ? a & ~top : a ^ top);
    } else {
        ptx_set(m, step, !absolute || (a & top) != 0 ? 0 - a : a);
    }
}

static inline void ptx_run_shift(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1) & ptx_mask(step->width), by = ptx_get(m, step, 2) & UINT32_MAX, result;
    uint64_t sign = step->is_signed && a >> (step->width - 1) ? UINT64_MAX : 0;
    if (step->name[2] == 'l') {
        result = by >= (uint64_t)step->width ? 0 : a << by;
    } else if (by == 0) {
        result = a;
    } else {
        result = by >= (uint64_t)step->width ? sign : a >> by | sign << ((unsigned)step->width - by);
    }
    ptx_set(m, step, result);
}

static inline void ptx_run_funnel(ptx_machine *m, const ptx_step *step) {
    uint64_t both = (ptx_get(m, step, 2) & UINT32_MAX) << 32 | (ptx_get(m, step, 1) & UINT32_MAX);
    uint64_t by = ptx_get(m, step, 3) & 31;
    ptx_set(m, step, ptx_has(step, "l") ? both << by >> 32 : both >> by);
}

static inline void ptx_run_bits(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1), ones = 0, reversed = 0, leading = 0;
    for (int i = 0; i < step->width; i++) {
        ones += a >> i & 1;
        reversed = reversed << 1 | (a >> i & 1);
        leading = (a >> i & 1) != 0 ? 0 : leading + 1;
    }
    ptx_set(m, step, step->name[0] == 'p' ? ones : step->name[0] == 'b' ? reversed : leading);
}

static inline bool ptx_compare(const char *how, bool below, bool equal, bool unordered) {
    bool is_not = strcmp(how, "neu") == 0 || strcmp(how, "ne") == 0;
    if (strcmp(how, "nan") == 0 || unordered) {
        return unordered && (strcmp(how, "neu") == 0 || strcmp(how, "nan") == 0);
    }
    if (is_not || strcmp(how, "eq") == 0) {
        return equal != is_not;
    }
    if (how[1] == 'e' && equal) {
        return true;
    }
    return how[0] == 'l' ? below : !below && !equal;
}

static inline void ptx_run_setp(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1), b = ptx_get(m, step, 2);
    bool below, equal, unordered = false;
    if (step->is_float) {
        double x = step->width == 32 ? (double)ptx_f32(a) : ptx_f64(a);
        double y = step->width == 32 ? (double)ptx_f32(b) : ptx_f64(b);
        below = x < y, equal = x == y, unordered = x != x || y != y;
    } else {
        a &= ptx_mask(step->width), b &= ptx_mask(step->width);
        below = step->is_signed ? ptx_signed(step->width, a) < ptx_signed(step->width, b) : a < b;
        equal = a == b;
    }
    ptx_set(m, step, ptx_compare(step->words[0], below, equal, unordered));
}

static inline void ptx_run_selp(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1), b = ptx_get(m, step, 2);
    ptx_set(m, step, ptx_get(m, step, 3) ? a : b);
}

/* ---- conversions ---- */

static inline uint64_t ptx_to_integer(const char *to, bool wide_source, double v) {
    int width = atoi(to + 1);
    bool is_signed = to[0] == 's';
    if (v != v) {
        return wide_source || width == 64 ? UINT64_C(1) << (width - 1) : 0;
    }
    double top = ldexp(1, is_signed ? width - 1 : width), low = is_signed ? -top : 0;
    if (v <= low) {
        return is_signed ? UINT64_C(1) << (width - 1) : 0;
    }
    if (v >= top) {
        return is_signed ? ptx_mask(width - 1) : ptx_mask(width);
    }
    return is_signed ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static inline double ptx_to_whole(const ptx_step *step, double v) {
    return ptx_has(step, "rni")   ? nearbyint(v)
           : ptx_has(step, "rmi") ? floor(v)
           : ptx_has(step, "rpi") ? ceil(v)
                                  : trunc(v);
}

static inline void ptx_run_cvt_float(ptx_machine *m, const ptx_step *step, uint64_t a) {
    const char *to = step->types[0], *from = step->types[1];
    double v = strcmp(from, "f32") == 0   ? (double)ptx_f32(a)
               : strcmp(from, "f16") == 0 ? (double)gf_f16_to_f32((uint16_t)a)
                                          : ptx_f64(a);
    bool narrows = to[0] == 'f' && atoi(to + 1) < atoi(from + 1);
    if (to[0] != 'f') {
        if (!ptx_has(step, "rzi")) {
            ptx_stop(m, step, "does not say how it rounds");
        }
        ptx_set(m, step, ptx_to_integer(to, strcmp(from, "f64") == 0, v));
    } else if (strcmp(to, from) == 0) {
        v = ptx_to_whole(step, v);
        ptx_set(m, step, strcmp(to, "f32") == 0 ? ptx_of_f32((float)v) : ptx_of_f64(v));
    } else if (narrows != ptx_has(step, "rn")) {
        ptx_stop(m, step, "rounds where there is nothing to round, or does not say how");
    } else if (strcmp(to, "f16") == 0) {
        ptx_set(m, step, v != v ? 0x7fff : gf_f16_from_f32((float)v));
    } else {
        ptx_set(m, step, strcmp(to, "f32") == 0 ? ptx_of_f32((float)v) : ptx_of_f64(v));
    }
}

static inline void ptx_run_cvt(ptx_machine *m, const ptx_step *step) {
    uint64_t a = ptx_get(m, step, 1);
    const char *to = step->types[0], *from = step->types[1];
    if (from[0] == 'f') {
        ptx_run_cvt_float(m, step, a);
        return;
    }
    int width = atoi(from + 1);
    bool is_signed = from[0] == 's';
    a &= ptx_mask(width);
    int64_t whole = ptx_signed(width, a);
    if (to[0] != 'f') {
        ptx_set(m, step, is_signed ? (uint64_t)whole : a);
    } else if (!ptx_has(step, "rn")) {
        ptx_stop(m, step, "does not say how it rounds");
    } else if (strcmp(to, "f32") == 0) {
        ptx_set(m, step, ptx_of_f32(is_signed ? (float)whole : (float)a));
    } else {
        ptx_set(m, step, ptx_of_f64(is_signed ? (double)whole : (double)a));
    }
}

/* ---- memory ---- */

static inline unsigned char *ptx_address(ptx_machine *m, const ptx_place *place) {
    return (unsigned char *)(uintptr_t)m->registers[place->class][place->number] + place->bits;
}

static inline void ptx_run_ld(ptx_machine *m, const ptx_step *step) {
    uint64_t bits = 0;
    memcpy(&bits, ptx_address(m, &step->places[1]), (size_t)step->width / 8);
    ptx_set(m, step, step->is_signed ? (uint64_t)ptx_signed(step->width, bits) : bits);
}

static inline void ptx_run_st(ptx_machine *m, const ptx_step *step) {
    uint64_t bits = ptx_get(m, step, 1);
    memcpy(ptx_address(m, &step->places[0]), &bits, (size_t)step->width / 8);
}

/* ---- reading ---- */

static const struct {
    const char *name;
    void (*run)(ptx_machine *m, const ptx_step *step), (*of_float)(ptx_machine *m, const ptx_step *step);
} ptx_table[] = {
    {"mov", ptx_run_mov, ptx_run_mov},
    {"and", ptx_run_logic, NULL},
    {"or", ptx_run_logic, NULL},
    {"xor", ptx_run_logic, NULL},
    {"not", ptx_run_logic, NULL},
    {"add", ptx_run_integer, ptx_run_float},
    {"sub", ptx_run_integer, ptx_run_float},
    {"mul", ptx_run_integer, ptx_run_float},
    {"mad", ptx_run_integer, NULL},
    {"div", ptx_run_integer, ptx_run_float},
    {"rem", ptx_run_integer, NULL},
    {"min", ptx_run_integer, ptx_run_float},
    {"max", ptx_run_integer, ptx_run_float},
    {"fma", NULL, ptx_run_float},
    {"sqrt", NULL, ptx_run_float},
    {"neg", ptx_run_sign, ptx_run_sign},
    {"abs", ptx_run_sign, ptx_run_sign},
    {"shl", ptx_run_shift, NULL},
    {"shr", ptx_run_shift, NULL},
    {"shf", ptx_run_funnel, NULL},
    {"popc", ptx_run_bits, NULL},
    {"clz", ptx_run_bits, NULL},
    {"brev", ptx_run_bits, NULL},
    {"setp", ptx_run_setp, ptx_run_setp},
    {"selp", ptx_run_selp, ptx_run_selp},
    {"cvt", ptx_run_cvt, ptx_run_cvt},
    {"ld", ptx_run_ld, ptx_run_ld},
    {"st", ptx_run_st, ptx_run_st},
};

/* "setp.lt.f32" into its parts. */
static inline bool ptx_read_name(ptx_step *step, char *text) {
    int words = 0, types = 0;
    char *rest = text, *word = strtok_r(rest, ".", &rest);
    snprintf(step->name, sizeof step->name, "%s", word != NULL ? word : "");
    while ((word = strtok_r(rest, ".", &rest)) != NULL) {
        bool is_type = strcmp(word, "pred") == 0 || (strchr("bsuf", word[0]) != NULL && atoi(word + 1) >= 8);
        if (is_type ? types == 2 : words == PTX_WORDS) {
            return false;
        }
        snprintf(is_type ? step->types[types++] : step->words[words++], 8, "%s", word);
    }
    step->is_float = step->types[0][0] == 'f';
    step->is_signed = step->types[0][0] == 's';
    step->width = step->types[0][0] == 'p' ? 1 : atoi(step->types[0] + 1);
    for (size_t i = 0; i < sizeof ptx_table / sizeof *ptx_table; i++) {
        if (strcmp(ptx_table[i].name, step->name) == 0) {
            step->run = step->is_float ? ptx_table[i].of_float : ptx_table[i].run;
        }
    }
    return step->run != NULL && types > 0;
}

/* "%rd5" "42" "0xff" "0f3f800000" "[%rd0+8]" */
static inline bool ptx_read_place(ptx_place *place, const char *text) {
    static const char *const letters[GF_PTX_CLASSES] = {"p", "r", "rd", "f", "d", "h"};
    *place = (ptx_place){.is_memory = text[0] == '['};
    text += place->is_memory;
    if (text[0] != '%') {
        bool is_float = text[0] == '0' && (text[1] == 'f' || text[1] == 'd');
        place->is_constant = true;
        place->bits = is_float ? strtoull(text + 2, NULL, 16) : strtoull(text, NULL, 0);
        return !place->is_memory;
    }
    size_t length = strcspn(text + 1, "0123456789");
    for (int i = 0; i < GF_PTX_CLASSES; i++) {
        if (strlen(letters[i]) == length && strncmp(letters[i], text + 1, length) == 0) {
            char *end;
            place->class = i;
            place->number = (int)strtoul(text + 1 + length, &end, 10);
            place->bits = *end == '+' ? strtoull(end + 1, NULL, 10) : 0;
            return place->number < PTX_REGISTERS;
        }
    }
    return false;
}

static inline bool ptx_read_line(ptx_machine *m, const char *line, size_t length) {
    char text[96];
    ptx_step *step = &m->code[m->count];
    memset(step, 0, sizeof *step);
    if (length < 6 || length >= sizeof text || line[length - 1] != ';' || m->count == PTX_CODE) {
        return false;
    }
    snprintf(text, sizeof text, "%.*s", (int)length - 5, line + 4);
    snprintf(step->text, sizeof step->text, "%s", text);
    char *rest = text, *name = strtok_r(rest, " ", &rest), *word;
    while ((word = strtok_r(rest, ", ", &rest)) != NULL) {
        if (step->count == 5 || !ptx_read_place(&step->places[step->count++], word)) {
            return false;
        }
    }
    m->count++;
    return name != NULL && ptx_read_name(step, name);
}

/* False where a line is not understood: `m->at` is that line then. */
static inline bool ptx_read(ptx_machine *m, const char *text) {
    m->count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (!ptx_read_line(m, text, length)) {
            m->why = "not understood";
            m->at = &m->code[m->count == 0 ? 0 : m->count - 1];
            return false;
        }
        text += length + (text[length] == '\n');
    }
    return true;
}

/* With %rd0 and %rd1 set. False where it stopped. */
static inline bool ptx_run(ptx_machine *m, const void *in, void *out) {
    memset(m->written, 0, sizeof m->written);
    const void *given[] = {in, out};
    for (int i = 0; i < 2; i++) {
        m->registers[GF_PTX_RD][i] = (uint64_t)(uintptr_t)given[i];
        m->written[GF_PTX_RD][i] = true;
    }
    m->why = NULL;
    for (size_t i = 0; i < m->count && m->why == NULL; i++) {
        m->code[i].run(m, &m->code[i]);
    }
    return m->why == NULL;
}

#endif
