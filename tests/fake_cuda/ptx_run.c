/* Steps carried out by the threads of a grid. */
#include "ptx.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE 512 /* instructions of a thread before the next one has its turn */
#define WARP 32
#define CALL_BYTES 256
#define GARBAGE UINT64_C(0xa5a5a5a5a5a5a5a5)

typedef enum state { READY, AT_BLOCK, AT_WARP, DONE } state;

typedef struct thread {
    state state;
    uint32_t at, index; /* step; in the block */
    uint64_t *registers;
    char *local;
    char call[CALL_BYTES];
} thread;

typedef struct block {
    thread *threads;
    uint64_t *registers;
    char *shared, *local;
    unsigned index, waiting, done;
} block;

struct fake_grid {
    const ptx_function *function;
    const char *params, *constants;
    block *blocks;
    unsigned block_count, thread_count, shared_bytes, done, turn;
    char *kept_params;
    char why[160];
    bool has_failed;
};

typedef struct running {
    fake_grid *grid;
    block *block;
    thread *thread;
    const ptx_step *step;
} running;

static void stop(running *r, const char *why) {
    if (!r->grid->has_failed) {
        (void)snprintf(r->grid->why, sizeof r->grid->why, "%s, line %u, block %u, thread %u: %s",
                       r->grid->function->name, (unsigned)r->step->line, r->block->index, (unsigned)r->thread->index,
                       why);
    }
    r->grid->has_failed = true;
}

/* ---- values ---- */

static uint64_t mask_of(unsigned bytes) {
    return bytes >= 8 ? UINT64_MAX : bytes == 0 ? 1 : (UINT64_C(1) << (8 * bytes)) - 1;
}

static int64_t signed_of(unsigned bytes, uint64_t bits) {
    unsigned away = 64 - 8 * bytes;
    return (int64_t)(bits << away) >> away; /* arithmetic with all compilers that this builds with */
}

static uint64_t value_of(const running *r, const ptx_operand *operand) {
    if (operand->kind == PTX_REGISTER) {
        return r->thread->registers[operand->index];
    }
    if (operand->kind == PTX_NUMBER) {
        return operand->number;
    }
    switch ((ptx_special)operand->number) {
    case PTX_TID:
        return r->thread->index;
    case PTX_NTID:
        return r->grid->thread_count;
    case PTX_CTAID:
        return r->block->index;
    case PTX_NCTAID:
        return r->grid->block_count;
    case PTX_LANE:
        return r->thread->index % WARP;
    }
    return 0;
}

static uint64_t get(const running *r, unsigned i) {
    return value_of(r, &r->step->operands[i]);
}

static void put(const running *r, unsigned i, uint64_t bits, unsigned bytes) {
    r->thread->registers[r->step->operands[i].index] = bits & mask_of(bytes);
}

static float f32_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The NaN that a GPU makes is not the language's. */
static uint64_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT32_C(0x7fffffff) : bits;
}

static uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT64_C(0x7fffffffffffffff) : bits;
}

static double float_of(ptx_type type, uint64_t bits) {
    return type.bytes == 4 ? (double)f32_of(bits) : f64_of(bits);
}

static float half_to_float(uint16_t half) {
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float value = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction | 1024), exponent - 25);
    return (half & 0x8000) != 0 ? -value : value;
}

static uint16_t half_of_float(float value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    float size = fabsf(value);
    if (value != value) {
        return 0x7fff;
    }
    if (size < ldexpf(1, -14)) {
        return (uint16_t)(sign | (uint16_t)nearbyintf(ldexpf(size, 24)));
    }
    int exponent;
    float fraction = frexpf(size, &exponent); /* in [0.5, 1) */
    uint32_t bits = (uint32_t)nearbyintf(ldexpf(fraction, 11));
    uint32_t half = ((uint32_t)(exponent + 14) << 10) + bits - 1024;
    return isinf(size) || half >= 0x7c00 ? (uint16_t)(sign | 0x7c00) : (uint16_t)(sign | half);
}

/* ---- memory ---- */

static char *find_memory(running *r, ptx_space space, uint64_t address, size_t bytes) {
    char *found = NULL;
    uint64_t end = 0;
    switch (space) {
    case PTX_GLOBAL:
        found = fake_resolve_near(address, bytes);
        if (found == NULL || address % bytes != 0) {
            stop(r, found == NULL ? "an address in no live memory" : "an address that is not aligned");
            return NULL;
        }
        return found;
    case PTX_SHARED:
        found = r->block->shared;
        end = r->grid->shared_bytes;
        break;
    case PTX_LOCAL:
        found = r->thread->local;
        end = r->grid->function->local_bytes;
        break;
    case PTX_PARAM:
        found = r->step->op == PTX_ST ? r->thread->call : (char *)(uintptr_t)r->grid->params;
        end = r->step->op == PTX_ST ? CALL_BYTES : r->grid->function->param_bytes;
        break;
    case PTX_CONST:
        return (char *)(uintptr_t)r->grid->constants + address;
    }
    address &= UINT32_MAX;
    if (address % bytes != 0 || address > end || bytes > end - address) {
        stop(r, "an address outside its memory, or not aligned");
        return NULL;
    }
    return found + address;
}

static void load(running *r) {
    const ptx_step *s = r->step;
    uint64_t address = value_of(r, &s->address) + (uint64_t)s->offset;
    const char *from = find_memory(r, s->space, address, s->type.bytes * (size_t)s->vector);
    for (unsigned i = 0; from != NULL && i < s->vector; i++) {
        uint64_t bits = 0;
        memcpy(&bits, from + (size_t)i * s->type.bytes, s->type.bytes);
        put(r, i, s->is_signed ? (uint64_t)signed_of(s->type.bytes, bits) : bits,
            s->type.bytes < 4 && s->type.kind != 'b' ? 4 : s->type.bytes);
    }
}

static void store(running *r) {
    const ptx_step *s = r->step;
    uint64_t address = value_of(r, &s->address) + (uint64_t)s->offset;
    char *to = find_memory(r, s->space, address, s->type.bytes * (size_t)s->vector);
    for (unsigned i = 0; to != NULL && i < s->vector; i++) {
        uint64_t bits = get(r, i);
        memcpy(to + (size_t)i * s->type.bytes, &bits, s->type.bytes);
    }
}

static void modify(running *r) {
    const ptx_step *s = r->step;
    uint64_t address = value_of(r, &s->address) + (uint64_t)s->offset, old = 0, mask = mask_of(s->type.bytes);
    char *at = find_memory(r, s->space, address, s->type.bytes);
    if (at == NULL) {
        return;
    }
    memcpy(&old, at, s->type.bytes);
    uint64_t a = get(r, s->has_result) & mask, now = old;
    bool less = s->is_signed ? signed_of(s->type.bytes, a) < signed_of(s->type.bytes, old) : a < old;
    switch ((int)s->how) {
    case PTX_DO_ADD:
        now = old + a;
        break;
    case PTX_DO_MIN:
        now = less ? a : old;
        break;
    case PTX_DO_MAX:
        now = less ? old : a;
        break;
    case PTX_DO_AND:
        now = old & a;
        break;
    case PTX_DO_OR:
        now = old | a;
        break;
    case PTX_DO_XOR:
        now = old ^ a;
        break;
    case PTX_DO_EXCH:
        now = a;
        break;
    case PTX_DO_CAS:
        now = old == a ? get(r, 2) : old;
        break;
    default:
        stop(r, "no such atomic");
    }
    memcpy(at, &now, s->type.bytes);
    if (s->has_result) {
        put(r, 0, old, s->type.bytes);
    }
}

/* ---- arithmetic ---- */

static uint64_t high_product(unsigned bytes, bool is_signed, uint64_t a, uint64_t b) {
    if (bytes == 4) {
        return (is_signed ? (uint64_t)(signed_of(4, a) * signed_of(4, b)) : (a & UINT32_MAX) * (b & UINT32_MAX)) >> 32;
    }
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    return is_signed ? high - (a >> 63 != 0 ? b : 0) - (b >> 63 != 0 ? a : 0) : high;
}

static uint64_t product(const ptx_step *s, uint64_t a, uint64_t b) {
    if (s->how == PTX_HI) {
        return high_product(s->type.bytes, s->is_signed, a, b);
    }
    if (s->how == PTX_WIDE) {
        return s->is_signed ? (uint64_t)(signed_of(4, a) * signed_of(4, b)) : (a & UINT32_MAX) * (b & UINT32_MAX);
    }
    return a * b;
}

static uint64_t divide(running *r, uint64_t a, uint64_t b) {
    const ptx_step *s = r->step;
    bool rest = s->op == PTX_REM;
    unsigned bytes = s->type.bytes;
    a &= mask_of(bytes);
    b &= mask_of(bytes);
    if (b == 0 || (s->is_signed && a == UINT64_C(1) << (8 * bytes - 1) && b == mask_of(bytes))) {
        stop(r, "divides where that is not defined");
        return 0;
    }
    if (!s->is_signed) {
        return rest ? a % b : a / b;
    }
    int64_t x = signed_of(bytes, a), y = signed_of(bytes, b);
    return (uint64_t)(rest ? x % y : x / y);
}

static void integer(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = get(r, 1), b = get(r, 2), result = 0;
    unsigned bytes = s->type.bytes;
    bool less = s->is_signed ? signed_of(bytes, a) < signed_of(bytes, b) : (a & mask_of(bytes)) < (b & mask_of(bytes));
    switch ((int)s->op) {
    case PTX_ADD:
        result = a + b;
        break;
    case PTX_SUB:
        result = a - b;
        break;
    case PTX_MUL:
        result = product(s, a, b);
        break;
    case PTX_MAD:
        result = product(s, a, b) + get(r, 3);
        break;
    case PTX_MIN:
        result = less ? a : b;
        break;
    case PTX_MAX:
        result = less ? b : a;
        break;
    default:
        result = divide(r, a, b);
    }
    put(r, 0, result, s->how == PTX_WIDE ? 2 * bytes : bytes);
}

static double extreme(bool least, double a, double b) {
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    bool first = a < b || (a == b && signbit(a));
    return first == least ? a : b;
}

static void floating(running *r) {
    const ptx_step *s = r->step;
    uint64_t i = get(r, 1), k = s->count > 2 ? get(r, 2) : 0, l = s->count > 3 ? get(r, 3) : 0;
    float a = f32_of(i), b = f32_of(k), f = 0;
    double x = f64_of(i), y = f64_of(k), d = 0;
    switch ((int)s->op) {
    case PTX_ADD:
        f = a + b, d = x + y;
        break;
    case PTX_SUB:
        f = a - b, d = x - y;
        break;
    case PTX_MUL:
        f = a * b, d = x * y;
        break;
    case PTX_DIV:
        f = a / b, d = x / y;
        break;
    case PTX_SQRT:
        f = sqrtf(a), d = sqrt(x);
        break;
    case PTX_FMA:
        f = fmaf(a, b, f32_of(l)), d = fma(x, y, f64_of(l));
        break;
    default:
        f = (float)extreme(s->op == PTX_MIN, (double)a, (double)b), d = extreme(s->op == PTX_MIN, x, y);
    }
    put(r, 0, s->type.bytes == 4 ? bits_of_f32(f) : bits_of_f64(d), s->type.bytes);
}

static void sign(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = get(r, 1), top = UINT64_C(1) << (8 * s->type.bytes - 1);
    bool absolute = s->op == PTX_ABS;
    uint64_t result = s->type.kind == 'f' ? (absolute ? a & ~top : a ^ top) : !absolute || (a & top) != 0 ? 0 - a : a;
    put(r, 0, result, s->type.bytes);
}

static void shift(running *r) {
    const ptx_step *s = r->step;
    unsigned width = 8U * s->type.bytes;
    uint64_t a = get(r, 1) & mask_of(s->type.bytes), by = get(r, 2) & UINT32_MAX, result;
    if (s->op == PTX_SHL) {
        result = by >= width ? 0 : a << by;
    } else if (s->is_signed) {
        result = (uint64_t)(signed_of(s->type.bytes, a) >> (by >= width ? width - 1 : by));
    } else {
        result = by >= width ? 0 : a >> by;
    }
    put(r, 0, result, s->type.bytes);
}

static void bits(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = get(r, 1), ones = 0, reversed = 0, leading = 0;
    for (unsigned i = 0; i < 8U * s->type.bytes; i++) {
        ones += a >> i & 1;
        reversed = reversed << 1 | (a >> i & 1);
        leading = (a >> i & 1) != 0 ? 0 : leading + 1;
    }
    put(r, 0, s->op == PTX_POPC ? ones : s->op == PTX_BREV ? reversed : leading, s->op == PTX_BREV ? s->type.bytes : 4);
}

static void compare(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = get(r, 1), b = get(r, 2);
    bool less, equal, unordered = false, result = false;
    if (s->type.kind == 'f') {
        double x = float_of(s->type, a), y = float_of(s->type, b);
        less = x < y, equal = x == y, unordered = x != x || y != y;
    } else {
        a &= mask_of(s->type.bytes), b &= mask_of(s->type.bytes);
        less = s->is_signed ? signed_of(s->type.bytes, a) < signed_of(s->type.bytes, b) : a < b;
        equal = a == b;
    }
    switch ((int)s->how) {
    case PTX_EQ:
        result = equal;
        break;
    case PTX_NE:
        result = !equal && !unordered;
        break;
    case PTX_NEU:
        result = !equal;
        break;
    case PTX_NAN:
        result = unordered;
        break;
    case PTX_LT:
        result = less;
        break;
    case PTX_LE:
        result = less || equal;
        break;
    case PTX_GT:
        result = !less && !equal && !unordered;
        break;
    case PTX_GE:
        result = !less && !unordered;
        break;
    default:
        stop(r, "no such comparison");
    }
    put(r, 0, result, 0);
}

/* ---- conversions ---- */

static uint64_t whole_of(ptx_type to, ptx_type from, double v) {
    unsigned width = 8U * to.bytes;
    bool is_signed = to.kind == 's';
    if (v != v) {
        return from.bytes == 8 || width == 64 ? UINT64_C(1) << (width - 1) : 0;
    }
    double top = ldexp(1, (int)(is_signed ? width - 1 : width)), low = is_signed ? -top : 0;
    if (v <= low) {
        return is_signed ? UINT64_C(1) << (width - 1) : 0;
    }
    if (v >= top) {
        return is_signed ? (UINT64_C(1) << (width - 1)) - 1 : mask_of(to.bytes);
    }
    return is_signed ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static double rounded(ptx_how how, double v) {
    return how == PTX_RNI ? nearbyint(v) : how == PTX_RMI ? floor(v) : how == PTX_RPI ? ceil(v) : trunc(v);
}

static uint64_t from_float(const ptx_step *s, uint64_t a) {
    double v = s->from.bytes == 2 ? (double)half_to_float((uint16_t)a) : float_of(s->from, a);
    if (s->type.kind != 'f') {
        return whole_of(s->type, s->from, v);
    }
    if (s->type.bytes == s->from.bytes) {
        v = rounded(s->how, v);
    }
    return s->type.bytes == 2 ? half_of_float((float)v) : s->type.bytes == 4 ? bits_of_f32((float)v) : bits_of_f64(v);
}

static void convert(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = get(r, 1);
    if (s->from.kind == 'f') {
        put(r, 0, from_float(s, a), s->type.bytes);
        return;
    }
    a &= mask_of(s->from.bytes);
    int64_t whole = signed_of(s->from.bytes, a);
    bool is_signed = s->from.kind == 's';
    if (s->type.kind != 'f') {
        put(r, 0, is_signed ? (uint64_t)whole : a, s->type.bytes);
    } else if (s->type.bytes == 4) {
        put(r, 0, bits_of_f32(is_signed ? (float)whole : (float)a), 4);
    } else {
        put(r, 0, bits_of_f64(is_signed ? (double)whole : (double)a), 8);
    }
}

static void move(running *r) {
    const ptx_step *s = r->step;
    if (s->vector == 1) {
        put(r, 0, get(r, 1), s->type.bytes);
    } else if (s->braces_first) {
        put(r, 0, get(r, 2), 4);
        put(r, 1, get(r, 2) >> 32, 4);
    } else {
        put(r, 0, get(r, 1) | get(r, 2) << 32, 8);
    }
}

/* ---- meeting ---- */

/* The last one to come: those that wait at other instructions, or are gone, are what a GPU would hang on or mix up. */
static bool are_together(running *r, unsigned first, unsigned end, state where) {
    for (unsigned i = first; i < end; i++) {
        const thread *t = &r->block->threads[i];
        if (t->state == DONE) {
            stop(r, "waits for threads that have ended");
            return false;
        }
        if (t->state == where && t->at != r->thread->at) {
            stop(r, "meets threads at another instruction");
            return false;
        }
        if (t->state != where) {
            return false;
        }
    }
    return true;
}

static void let_go(block *b, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i++) {
        b->threads[i].state = READY;
        b->threads[i].at++;
    }
}

static uint64_t value_at(const running *r, unsigned thread_index, unsigned operand) {
    running other = *r;
    other.thread = &r->block->threads[thread_index];
    return get(&other, operand);
}

static void put_at(const running *r, unsigned thread_index, uint64_t bits, unsigned bytes) {
    running other = *r;
    other.thread = &r->block->threads[thread_index];
    put(&other, 0, bits, bytes);
}

static void meet_block(running *r) {
    r->thread->state = AT_BLOCK;
    unsigned all = r->grid->thread_count;
    if (!are_together(r, 0, all, AT_BLOCK)) {
        return;
    }
    if (r->step->op == PTX_BAR_RED) {
        bool any = false, each = true;
        for (unsigned i = 0; i < all; i++) {
            any |= value_at(r, i, 2) != 0;
            each &= value_at(r, i, 2) != 0;
        }
        for (unsigned i = 0; i < all; i++) {
            put_at(r, i, r->step->how == PTX_DO_OR ? any : each, 0);
        }
    }
    let_go(r->block, 0, all);
}

static unsigned lane_of(const ptx_step *s, unsigned lane, unsigned by) {
    switch ((int)s->how) {
    case PTX_UP:
        return lane >= by ? lane - by : lane;
    case PTX_DOWN:
        return lane + by < WARP ? lane + by : lane;
    case PTX_BFLY:
        return lane ^ by;
    default:
        return by % WARP;
    }
}

static void meet_warp(running *r) {
    const ptx_step *s = r->step;
    unsigned first = r->thread->index / WARP * WARP, end = first + WARP;
    end = end < r->grid->thread_count ? end : r->grid->thread_count;
    r->thread->state = AT_WARP;
    if (!are_together(r, first, end, AT_WARP)) {
        return;
    }
    uint64_t got[WARP] = {0};
    if (s->op == PTX_SHFL) {
        for (unsigned i = first; i < end; i++) {
            unsigned lane = first + lane_of(s, i - first, (unsigned)value_at(r, i, 2));
            got[i - first] = lane < end ? value_at(r, lane, 1) : GARBAGE;
        }
    } else if (s->op == PTX_VOTE) {
        uint64_t votes = 0;
        for (unsigned i = first; i < end; i++) {
            votes |= (uint64_t)(value_at(r, i, 1) != 0) << (i - first);
        }
        for (unsigned i = first; i < end; i++) {
            got[i - first] = s->how == PTX_ANY ? votes != 0 : votes;
        }
    }
    for (unsigned i = first; s->op != PTX_BAR_WARP && i < end; i++) {
        put_at(r, i, got[i - first], s->type.bytes);
    }
    let_go(r->block, first, end);
}

/* ---- all of them ---- */

static void logic(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = get(r, 1), b = s->op == PTX_NOT ? 0 : get(r, 2);
    uint64_t result = s->op == PTX_AND ? a & b : s->op == PTX_OR ? a | b : s->op == PTX_XOR ? a ^ b : ~a;
    put(r, 0, result, s->type.bytes);
}

static void funnel(running *r) {
    uint64_t both = (get(r, 2) & UINT32_MAX) << 32 | (get(r, 1) & UINT32_MAX), by = get(r, 3) & 31;
    put(r, 0, r->step->how == PTX_LEFT ? both << by >> 32 : both >> by, 4);
}

static void call(running *r) {
    uint64_t handle = 0;
    uint32_t value = 0;
    memcpy(&handle, r->thread->call + r->step->address.number, sizeof handle);
    memcpy(&value, r->thread->call + r->step->offset, sizeof value);
    fake_set_condition(handle, value);
}

/* False where the thread stays at its step: it waits, or is done. */
static bool carry_out(running *r) {
    const ptx_step *s = r->step;
    bool is_float = s->type.kind == 'f';
    switch (s->op) {
    case PTX_BRA:
        r->thread->at = s->target;
        return true;
    case PTX_RET:
        r->thread->state = DONE;
        r->block->done++;
        return false;
    case PTX_BAR_SYNC:
    case PTX_BAR_RED:
        meet_block(r);
        return false;
    case PTX_BAR_WARP:
    case PTX_SHFL:
    case PTX_VOTE:
        meet_warp(r);
        return false;
    case PTX_ADD:
    case PTX_SUB:
    case PTX_MUL:
    case PTX_DIV:
    case PTX_MIN:
    case PTX_MAX:
        is_float ? floating(r) : integer(r);
        break;
    case PTX_MAD:
    case PTX_REM:
        integer(r);
        break;
    case PTX_FMA:
    case PTX_SQRT:
        floating(r);
        break;
    case PTX_ABS:
    case PTX_NEG:
        sign(r);
        break;
    case PTX_AND:
    case PTX_OR:
    case PTX_XOR:
    case PTX_NOT:
        logic(r);
        break;
    case PTX_SHL:
    case PTX_SHR:
        shift(r);
        break;
    case PTX_SHF:
        funnel(r);
        break;
    case PTX_POPC:
    case PTX_CLZ:
    case PTX_BREV:
        bits(r);
        break;
    case PTX_SETP:
        compare(r);
        break;
    case PTX_SELP:
        put(r, 0, get(r, 3) != 0 ? get(r, 1) : get(r, 2), s->type.bytes);
        break;
    case PTX_CVT:
        convert(r);
        break;
    case PTX_MOV:
        move(r);
        break;
    case PTX_LD:
        load(r);
        break;
    case PTX_ST:
        store(r);
        break;
    case PTX_ATOM:
        modify(r);
        break;
    case PTX_CALL:
        call(r);
        break;
    }
    r->thread->at++;
    return true;
}

static uint64_t run_thread(fake_grid *g, block *b, thread *t) {
    running r = {.grid = g, .block = b, .thread = t};
    uint64_t count = 0;
    for (bool goes_on = true; goes_on && count < SLICE && !g->has_failed; count++) {
        r.step = &g->function->steps[t->at];
        if (r.step->has_guard && (t->registers[r.step->guard] != 0) == r.step->guard_not) {
            t->at++;
            continue;
        }
        goes_on = carry_out(&r);
    }
    return count;
}

static uint64_t all_instructions;

uint64_t fake_instructions(void) {
    return all_instructions;
}

bool fake_grid_run(fake_grid *g, uint64_t instructions) {
    uint64_t count = 0;
    while (count < instructions && g->done < g->block_count && !g->has_failed) {
        block *b = &g->blocks[g->turn];
        uint64_t before = count;
        bool was_done = b->done == g->thread_count;
        for (unsigned i = 0; i < g->thread_count && !g->has_failed; i++) {
            if (b->threads[i].state == READY) {
                count += run_thread(g, b, &b->threads[i]);
            }
        }
        if (!was_done && b->done == g->thread_count) {
            g->done++;
        } else if (!was_done && count == before && !g->has_failed) {
            running r = {.grid = g, .block = b, .thread = &b->threads[0]};
            r.step = &g->function->steps[r.thread->at];
            stop(&r, "all threads of the block wait for each other");
        }
        g->turn = (g->turn + 1) % g->block_count;
    }
    all_instructions += count;
    return g->has_failed || g->done == g->block_count;
}

/* ---- begin and end ---- */

static void *make(size_t count, size_t size) {
    void *made = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (made == NULL) {
        abort();
    }
    return made;
}

static void begin_block(const fake_grid *g, block *b, unsigned index) {
    const ptx_function *f = g->function;
    size_t registers = (size_t)f->registers * g->thread_count;
    b->index = index;
    b->threads = make(g->thread_count, sizeof *b->threads);
    b->registers = make(registers, sizeof *b->registers);
    b->shared = make(g->shared_bytes, 1);
    b->local = make(f->local_bytes * g->thread_count, 1);
    for (size_t i = 0; i < registers; i++) {
        b->registers[i] = GARBAGE;
    }
    memset(b->shared, 0xa5, g->shared_bytes);
    memset(b->local, 0xa5, f->local_bytes * g->thread_count);
    for (unsigned i = 0; i < g->thread_count; i++) {
        thread *t = &b->threads[i];
        t->index = i;
        t->registers = b->registers + (size_t)i * f->registers;
        t->local = b->local + (size_t)i * f->local_bytes;
    }
}

fake_grid *fake_grid_begin(const ptx_function *function, unsigned blocks, unsigned threads, unsigned dynamic_shared,
                           const void *params, const void *constants) {
    fake_grid *g = make(1, sizeof *g);
    g->function = function;
    g->block_count = blocks;
    g->thread_count = threads;
    g->shared_bytes = (unsigned)((function->shared_bytes + 15) / 16 * 16) + dynamic_shared;
    g->constants = constants;
    g->kept_params = make(function->param_bytes, 1);
    if (function->param_bytes > 0) {
        memcpy(g->kept_params, params, function->param_bytes);
    }
    g->params = g->kept_params;
    g->blocks = make(blocks, sizeof *g->blocks);
    for (unsigned i = 0; i < blocks; i++) {
        begin_block(g, &g->blocks[i], i);
    }
    return g;
}

const char *fake_grid_why(const fake_grid *grid) {
    return grid->has_failed ? grid->why : NULL;
}

void fake_grid_free(fake_grid *grid) {
    for (unsigned i = 0; grid != NULL && i < grid->block_count; i++) {
        free(grid->blocks[i].threads);
        free(grid->blocks[i].registers);
        free(grid->blocks[i].shared);
        free(grid->blocks[i].local);
    }
    if (grid != NULL) {
        free(grid->blocks);
        free(grid->kept_params);
    }
    free(grid);
}
