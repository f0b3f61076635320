/* The instructions of one invocation. */
#include "backend/interp/machine.h"

#include "ir/elementary.h"
#include "ir/eval.h"
#include "ir/meaning.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

static inline bool take_bool(uint64_t bits) {
    return bits & 1;
}
static inline uint32_t take_u32(uint64_t bits) {
    return (uint32_t)bits;
}
static inline int32_t take_i32(uint64_t bits) {
    return (int32_t)(uint32_t)bits;
}
static inline uint64_t take_u64(uint64_t bits) {
    return bits;
}
static inline int64_t take_i64(uint64_t bits) {
    return (int64_t)bits;
}
static inline float take_f32(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}
static inline double take_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t give_bool(bool value) {
    return value;
}
static inline uint64_t give_u32(uint32_t value) {
    return value;
}
static inline uint64_t give_i32(int32_t value) {
    return (uint32_t)value;
}
static inline uint64_t give_u64(uint64_t value) {
    return value;
}
static inline uint64_t give_i64(int64_t value) {
    return (uint64_t)value;
}
static inline uint64_t give_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline uint64_t give_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t distance_turns(uint64_t distance, uint64_t step) {
    return (distance - 1) / step + 1;
}

/* ceil((to - from) / step), without wrap; none where that is not positive, or there is no step. */
uint64_t gf_turns(gf_type type, uint64_t from, uint64_t to, uint64_t step) {
    if (gf_type_is_signed(type)) {
        bool narrow = type == GF_TYPE_I32;
        int64_t a = narrow ? take_i32(from) : take_i64(from), b = narrow ? take_i32(to) : take_i64(to);
        int64_t by = narrow ? take_i32(step) : take_i64(step);
        if (by > 0 && b > a) {
            return distance_turns((uint64_t)b - (uint64_t)a, (uint64_t)by);
        }
        return by < 0 && a > b ? distance_turns((uint64_t)a - (uint64_t)b, 0 - (uint64_t)by) : 0;
    }
    return step != 0 && to > from ? distance_turns(to - from, step) : 0;
}

#define RESULT_NUMBER(value) GIVE((T)(value))
#define RESULT_INTEGER(value) GIVE((T)(value))
#define RESULT_FLOAT(value) GIVE((T)(value))
#define RESULT_BOOL(value) GIVE((T)(value))
#define RESULT_BITS(value) GIVE((T)(value))
#define RESULT_SHIFT(value) GIVE((T)(value))
#define RESULT_SELECT(value) GIVE((T)(value))
#define RESULT_EQUAL(value) (uint64_t)((value) ? 1 : 0)
#define RESULT_ORDER(value) (uint64_t)((value) ? 1 : 0)
#define RESULT_FLOAT_TEST(value) (uint64_t)((value) ? 1 : 0)

#define FIRST_NUMBER(bits) TAKE(bits)
#define FIRST_INTEGER(bits) TAKE(bits)
#define FIRST_FLOAT(bits) TAKE(bits)
#define FIRST_BOOL(bits) TAKE(bits)
#define FIRST_BITS(bits) TAKE(bits)
#define FIRST_SHIFT(bits) TAKE(bits)
#define FIRST_SELECT(bits) ((bits)&1) /* the condition, whatever the type of the sides */
#define FIRST_EQUAL(bits) TAKE(bits)
#define FIRST_ORDER(bits) TAKE(bits)
#define FIRST_FLOAT_TEST(bits) TAKE(bits)

#define BOOL_COLUMN(boolean, unsigned_, signed_, float_) boolean
#define UNSIGNED_COLUMN(boolean, unsigned_, signed_, float_) unsigned_
#define SIGNED_COLUMN(boolean, unsigned_, signed_, float_) signed_
#define FLOAT_COLUMN(boolean, unsigned_, signed_, float_) float_
#define NO 0

/* The element, where there is one. */
#define IN_BOUNDS(size)                                                                                                \
    const gf_array *array = &arrays[i->c];                                                                             \
    uint64_t at = r[i->b];                                                                                             \
    bool inside = at < array->count;                                                                                   \
    unsigned char *element = inside ? array->data + at * (size) : NULL;

gf_outcome gf_execute(gf_machine *m, uint32_t start) {
    uint64_t *const r = m->regs;
    const gf_array *const arrays = m->arrays;
    const gf_instr *const code = m->code->instrs;
    const gf_instr *i = code + start;
    for (;; i++) {
        switch (i->op) {
        case GF_DO_END:
            return GF_OUTCOME_END;
        case GF_DO_RETURN:
            return GF_OUTCOME_ENDED;
        case GF_DO_JUMP:
            i = code + i->d - 1;
            break;
        case GF_DO_JUMP_BACK:
            if (--m->budget <= 0 && gf_must_stop(m)) {
                return GF_OUTCOME_STOPPED;
            }
            i = code + i->d - 1;
            break;
        case GF_DO_JUMP_IF:
            if (r[i->a] != 0) {
                i = code + i->d - 1;
            }
            break;
        case GF_DO_JUMP_UNLESS:
            if (r[i->a] == 0) {
                i = code + i->d - 1;
            }
            break;
        case GF_DO_MOVE:
            r[i->a] = r[i->b];
            break;
        case GF_DO_SIGN_EXTEND:
            r[i->a] = (uint64_t)(int64_t)(int32_t)(uint32_t)r[i->b];
            break;
        case GF_DO_TRUNCATE:
            r[i->a] = (uint32_t)r[i->b];
            break;
        case GF_DO_NONZERO:
            r[i->a] = r[i->b] != 0;
            break;
        case GF_DO_CAST:
            r[i->a] = gf_eval_cast((gf_type)(i->c >> 8), (gf_type)(i->c & 255), r[i->b]);
            break;
        case GF_DO_BITCAST:
            r[i->a] = gf_eval_bitcast((gf_type)(i->c >> 8), (gf_type)(i->c & 255), r[i->b]);
            break;
        case GF_DO_TURNS:
            r[i->a] = gf_turns(m->code->places[i->where].type, r[i->b], r[i->c], r[i->d]);
            break;
        case GF_DO_NEXT_32:
        case GF_DO_NEXT_64:
            if (--r[i->c] == 0) {
                break;
            }
            r[i->a] += r[i->b];
            if (i->op == GF_DO_NEXT_32) {
                r[i->a] = (uint32_t)r[i->a];
            }
            if (--m->budget <= 0 && gf_must_stop(m)) {
                return GF_OUTCOME_STOPPED;
            }
            i = code + i->d - 1;
            break;
        case GF_DO_LOAD_U8: {
            IN_BOUNDS(1)
            r[i->a] = inside ? *element : 0;
            break;
        }
        case GF_DO_LOAD_I8: {
            IN_BOUNDS(1)
            r[i->a] = inside ? (uint32_t)(int32_t)(int8_t)*element : 0;
            break;
        }
        case GF_DO_LOAD_U16:
        case GF_DO_LOAD_I16:
        case GF_DO_LOAD_F16: {
            IN_BOUNDS(2)
            r[i->a] = !inside ? 0
                              : gf_element_load(i->op == GF_DO_LOAD_U16   ? GF_TYPE_U16
                                                : i->op == GF_DO_LOAD_I16 ? GF_TYPE_I16
                                                                          : GF_TYPE_F16,
                                                element);
            break;
        }
        case GF_DO_LOAD_32: {
            IN_BOUNDS(4)
            uint32_t value = 0;
            if (inside) {
                memcpy(&value, element, sizeof value);
            }
            r[i->a] = value;
            break;
        }
        case GF_DO_LOAD_64: {
            IN_BOUNDS(8)
            uint64_t value = 0;
            if (inside) {
                memcpy(&value, element, sizeof value);
            }
            r[i->a] = value;
            break;
        }
        case GF_DO_LOAD_WATCHED:
            if (!gf_watched_load(m, i)) {
                return GF_OUTCOME_ENDED;
            }
            break;
        case GF_DO_STORE_8: {
            IN_BOUNDS(1)
            if (inside) {
                *element = (unsigned char)r[i->a];
            }
            break;
        }
        case GF_DO_STORE_16:
        case GF_DO_STORE_F16: {
            IN_BOUNDS(2)
            if (inside) {
                gf_element_store(i->op == GF_DO_STORE_16 ? GF_TYPE_U16 : GF_TYPE_F16, element, r[i->a]);
            }
            break;
        }
        case GF_DO_STORE_32: {
            IN_BOUNDS(4)
            if (inside) {
                uint32_t value = (uint32_t)r[i->a];
                memcpy(element, &value, sizeof value);
            }
            break;
        }
        case GF_DO_STORE_F32: {
            IN_BOUNDS(4)
            if (inside) {
                uint32_t value = (uint32_t)r[i->a];
                value = (value & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : value;
                memcpy(element, &value, sizeof value);
            }
            break;
        }
        case GF_DO_STORE_64:
        case GF_DO_STORE_F64: {
            IN_BOUNDS(8)
            if (inside) {
                uint64_t value = i->op == GF_DO_STORE_64 ? r[i->a] : gf_canonical(GF_TYPE_F64, r[i->a]);
                memcpy(element, &value, sizeof value);
            }
            break;
        }
        case GF_DO_STORE_WATCHED:
            if (!gf_watched_store(m, i)) {
                return GF_OUTCOME_ENDED;
            }
            break;
        case GF_DO_ATOMIC: {
            const gf_atomic_use *use = &m->code->atomics[i->d];
            IN_BOUNDS(use->type == GF_TYPE_U64 || use->type == GF_TYPE_I64 || use->type == GF_TYPE_F64 ? 8 : 4)
            r[i->a] = inside ? gf_atomic_apply(use, element, r[use->operand], r[use->desired]) : 0;
            break;
        }
        case GF_DO_ATOMIC_WATCHED:
            if (!gf_watched_atomic(m, i)) {
                return GF_OUTCOME_ENDED;
            }
            break;
        case GF_DO_ZERO_ARRAY: {
            const gf_array_info *info = &m->code->arrays[i->c];
            memset(arrays[i->c].data, 0, (size_t)(info->length * gf_type_bytes(info->type)));
            break;
        }
        case GF_DO_CHECK_DIVISOR:
            if (r[i->a] == 0 && !gf_check_divisor(m, i)) {
                return GF_OUTCOME_ENDED;
            }
            break;
        case GF_DO_MUTE_IF:
            m->mute += r[i->a] != 0;
            break;
        case GF_DO_MUTE_UNLESS:
            m->mute += r[i->a] == 0;
            break;
        case GF_DO_UNMUTE_IF:
            m->mute -= r[i->a] != 0;
            break;
        case GF_DO_UNMUTE_UNLESS:
            m->mute -= r[i->a] == 0;
            break;
        case GF_DO_TRAP:
            gf_trap_here(m, i);
            return GF_OUTCOME_ENDED;
        case GF_DO_ASSERT:
            if (r[i->a] == 0) {
                gf_trap_here(m, i);
                return GF_OUTCOME_ENDED;
            }
            break;
        case GF_DO_COPY:
            if (!gf_copy(m, i)) {
                return m->no_memory || m->stop_reason != GF_STOP_NONE ? GF_OUTCOME_STOPPED : GF_OUTCOME_ENDED;
            }
            break;
        case GF_DO_WAIT:
            gf_wait(m, i->d);
            break;
        case GF_DO_CONVERGED:
            m->result->converged = r[i->a] != 0 ? GF_CONVERGED_YES : GF_CONVERGED_NO;
            m->has_said = true;
            break;
        case GF_DO_GIVE_GROUP:
            m->given_group[m->actor.index] = r[i->a];
            break;
        case GF_DO_GIVE_GRID:
            m->given_grid[m->lane] = r[i->a];
            break;
        case GF_DO_TAKE_GROUP:
            r[i->a] = m->given_group[m->actor.index];
            break;
        case GF_DO_TAKE_GRID:
            r[i->a] = m->given_grid[m->lane];
            break;

#define KIND 0
#define COLUMN BOOL_COLUMN
#define TAKE take_bool
#define GIVE give_bool
#define T bool
#include "backend/interp/operations.inc"

#define KIND 1
#define COLUMN UNSIGNED_COLUMN
#define TAKE take_u32
#define GIVE give_u32
#define T uint32_t
#define U uint32_t
#define WIDTH 32
#include "backend/interp/operations.inc"

#define KIND 2
#define COLUMN SIGNED_COLUMN
#define TAKE take_i32
#define GIVE give_i32
#define T int32_t
#define U uint32_t
#define WIDTH 32
#include "backend/interp/operations.inc"

#define KIND 3
#define COLUMN UNSIGNED_COLUMN
#define TAKE take_u64
#define GIVE give_u64
#define T uint64_t
#define U uint64_t
#define WIDTH 64
#include "backend/interp/operations.inc"

#define KIND 4
#define COLUMN SIGNED_COLUMN
#define TAKE take_i64
#define GIVE give_i64
#define T int64_t
#define U uint64_t
#define WIDTH 64
#include "backend/interp/operations.inc"

#define KIND 5
#define COLUMN FLOAT_COLUMN
#define TAKE take_f32
#define GIVE give_f32
#define T float
#define FLOAT GF_FLOAT_F32
#include "backend/interp/operations.inc"

#define KIND 6
#define COLUMN FLOAT_COLUMN
#define TAKE take_f64
#define GIVE give_f64
#define T double
#define FLOAT GF_FLOAT_F64
#include "backend/interp/operations.inc"
        }
    }
}
