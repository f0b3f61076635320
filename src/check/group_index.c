#include "check/group_index.h"

#include "ir/visit.h"

#include <stdlib.h>
#include <string.h>

#define MOST ((int64_t)1 << 40)

static const group_index unknown = {.is_known = false};

static group_index number(int64_t low, int64_t high) {
    return (group_index){.is_known = true, .low = low, .high = high};
}

static bool is_small(int64_t value) {
    return value > -MOST && value < MOST;
}

static group_index bounded(group_index index) {
    bool fine = index.is_known && is_small(index.low) && is_small(index.high) && is_small(index.base_factor) &&
                is_small(index.by_linear);
    for (int k = 0; k < 3; k++) {
        fine = fine && is_small(index.by_group[k]) && is_small(index.by_lane[k]);
    }
    return fine ? index : unknown;
}

bool gf_check_differs_by_group(const group_index *index) {
    return index->by_group[0] != 0 || index->by_group[1] != 0 || index->by_group[2] != 0 || index->by_linear != 0;
}

static bool has_ids(const group_index *index) {
    return gf_check_differs_by_group(index) || index->by_lane[0] != 0 || index->by_lane[1] != 0 ||
           index->by_lane[2] != 0;
}

/* One value for the whole launch. */
static bool is_fixed(const group_index *index) {
    return index->is_known && !has_ids(index) && index->low == index->high;
}

static bool is_number(const group_index *index) {
    return is_fixed(index) && index->base == NULL;
}

static bool is_same_base(const group_index *a, const group_index *b) {
    return a->base_factor == b->base_factor &&
           (a->base == b->base || (a->base != NULL && b->base != NULL && gf_equal_expr(a->base, b->base)));
}

static group_index of_launch(const gf_expr *expr) {
    return (group_index){.is_known = true, .base = expr, .base_factor = 1};
}

/* ---- arithmetic ---- */

static bool multiply(int64_t *value, int64_t factor, int64_t limit) {
    bool fine = *value <= limit && *value >= -limit;
    *value = fine ? *value * factor : 0;
    return fine;
}

static group_index scale(group_index a, int64_t factor) {
    if (factor == 0) {
        return number(0, 0);
    }
    if (!a.is_known || !is_small(factor)) {
        return unknown;
    }
    int64_t limit = MOST / llabs(factor);
    bool fine = multiply(&a.low, factor, limit) && multiply(&a.high, factor, limit) &&
                multiply(&a.base_factor, factor, limit) && multiply(&a.by_linear, factor, limit);
    for (int k = 0; k < 3; k++) {
        fine = fine && multiply(&a.by_group[k], factor, limit) && multiply(&a.by_lane[k], factor, limit);
    }
    if (factor < 0) {
        int64_t low = a.low;
        a.low = a.high;
        a.high = low;
    }
    return fine ? bounded(a) : unknown;
}

static group_index add(group_index a, group_index b) {
    if (!a.is_known || !b.is_known) {
        return unknown;
    }
    if (a.base != NULL && b.base != NULL && !gf_equal_expr(a.base, b.base)) {
        return unknown;
    }
    group_index sum = a;
    for (int k = 0; k < 3; k++) {
        sum.by_group[k] += b.by_group[k];
        sum.by_lane[k] += b.by_lane[k];
    }
    sum.by_linear += b.by_linear;
    sum.low += b.low;
    sum.high += b.high;
    sum.base_factor += b.base_factor;
    sum.base = sum.base_factor == 0 ? NULL : a.base != NULL ? a.base : b.base;
    return bounded(sum);
}

group_index gf_check_settle_lanes(const index_scope *scope, group_index index) {
    for (int k = 0; k < 3 && index.is_known; k++) {
        group_index lane = scale(number(scope->lane_low[k], scope->lane_high[k]), index.by_lane[k]);
        index.by_lane[k] = 0;
        index.low += lane.low;
        index.high += lane.high;
    }
    return bounded(index);
}

/* Whether what varies by workgroup, and the base, are multiples of it. */
static bool is_stepped(const group_index *index, int64_t by) {
    for (int k = 0; k < 3; k++) {
        if (index->by_group[k] % by != 0) {
            return false;
        }
    }
    return index->base_factor % by == 0 && index->by_linear % by == 0;
}

static int64_t round_down(int64_t value, int64_t to) {
    int64_t rest = value % to;
    return value - (rest < 0 ? rest + to : rest);
}

static group_index without_steps(group_index index) {
    memset(index.by_group, 0, sizeof index.by_group);
    index.by_linear = 0;
    index.base = NULL;
    index.base_factor = 0;
    return index;
}

static group_index divide(const index_scope *scope, group_index a, int64_t by) {
    group_index settled = gf_check_settle_lanes(scope, a);
    if (by <= 0 || !settled.is_known || settled.low < 0 || !is_stepped(&settled, by)) {
        return unknown;
    }
    for (int k = 0; k < 3; k++) {
        settled.by_group[k] /= by;
    }
    settled.base_factor /= by;
    settled.by_linear /= by;
    settled.low /= by;
    settled.high /= by;
    return settled;
}

static group_index remainder_of(const index_scope *scope, group_index a, int64_t by, bool is_signed) {
    if (by <= 0 || !is_small(by)) {
        return unknown;
    }
    group_index settled = gf_check_settle_lanes(scope, a);
    if (settled.is_known && settled.low >= 0 && settled.high < by && is_stepped(&settled, by)) {
        return without_steps(a);
    }
    bool may_be_negative = is_signed && (!settled.is_known || settled.low < 0 || has_ids(&settled));
    return number(may_be_negative ? 1 - by : 0, by - 1);
}

static int64_t power_above(int64_t value) {
    int64_t power = 1;
    while (power <= value) {
        power *= 2;
    }
    return power;
}

/* `a` with bits changed that are below those of `b`: it stays in its block of a power of two. */
static group_index change_low_bits(const index_scope *scope, group_index a, group_index b) {
    group_index settled = gf_check_settle_lanes(scope, a), bits = gf_check_settle_lanes(scope, b);
    if (!settled.is_known || !bits.is_known || has_ids(&bits) || bits.base != NULL || bits.low < 0 || settled.low < 0) {
        return unknown;
    }
    int64_t block = power_above(bits.high);
    if (!is_stepped(&settled, block)) {
        return unknown;
    }
    settled.low = round_down(settled.low, block);
    settled.high = round_down(settled.high, block) + block - 1;
    return settled;
}

static group_index mask(const index_scope *scope, group_index a, int64_t bits, gf_type type) {
    if (bits >= 0 && power_above(bits) == bits + 1) {
        return remainder_of(scope, a, bits + 1, false);
    }
    /* Low bits taken away: ~63, or 0xffffffc0. */
    int64_t away = type == GF_TYPE_U32 ? (int64_t)(uint32_t)~bits : ~bits;
    group_index settled = gf_check_settle_lanes(scope, a);
    if (away > 0 && away < MOST && power_above(away) == away + 1 && settled.is_known &&
        is_stepped(&settled, away + 1)) {
        settled.low = round_down(settled.low, away + 1);
        settled.high = round_down(settled.high, away + 1);
        return settled;
    }
    return bits >= 0 ? number(0, bits) : unknown;
}

/* Up to a range of numbers. */
static bool is_parallel(const group_index *a, const group_index *b) {
    return a->is_known && b->is_known && is_same_base(a, b) && a->by_linear == b->by_linear &&
           memcmp(a->by_group, b->by_group, sizeof a->by_group) == 0 &&
           memcmp(a->by_lane, b->by_lane, sizeof a->by_lane) == 0;
}

bool gf_check_is_same_index(const group_index *a, const group_index *b) {
    return a->is_known == b->is_known &&
           (!a->is_known || (is_parallel(a, b) && a->low == b->low && a->high == b->high));
}

static group_index join(const index_scope *scope, group_index a, group_index b) {
    group_index one = gf_check_settle_lanes(scope, a), other = gf_check_settle_lanes(scope, b);
    if (!is_parallel(&one, &other)) {
        return unknown;
    }
    one.low = other.low < one.low ? other.low : one.low;
    one.high = other.high > one.high ? other.high : one.high;
    return one;
}

/* ---- expressions ---- */

unsigned char gf_check_ids_in(const unsigned char *of_names, const gf_expr *expr) {
    if (expr == NULL) {
        return 0;
    }
    unsigned char found = 0;
    if (expr->kind == GF_EXPR_NAME || expr->kind == GF_EXPR_LOAD) {
        found = expr->ref.symbol->kind == GF_SYMBOL_SHARED ? INDEX_WID : of_names[expr->ref.symbol->id];
    } else if (expr->kind == GF_EXPR_CROSS && expr->level == GF_LEVEL_GROUP) {
        found = INDEX_WID;
    } else if (expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL || expr->kind == GF_EXPR_CROSS) {
        found = INDEX_OTHER;
    } else if (expr->kind == GF_EXPR_BUILTIN) {
        found = expr->builtin == GF_BUILTIN_LID   ? INDEX_LID
                : expr->builtin == GF_BUILTIN_GID ? INDEX_GID
                : expr->builtin == GF_BUILTIN_WID ? INDEX_WID
                                                  : 0;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        found |= gf_check_ids_in(of_names, expr->args[i]);
    }
    return found;
}

static group_index of_bits(uint64_t bits, gf_type type) {
    int64_t value = type == GF_TYPE_I32 ? (int32_t)(uint32_t)bits : (int64_t)bits;
    return gf_type_is_float(type) || (type == GF_TYPE_U64 && value < 0) ? unknown : bounded(number(value, value));
}

static group_index of_id(const index_scope *scope, const gf_expr *expr) {
    group_index index = number(0, 0);
    bool by_group = expr->builtin != GF_BUILTIN_LID, by_lane = expr->builtin != GF_BUILTIN_WID;
    if (expr->axis != GF_AXIS_LINEAR) {
        index.by_group[expr->axis] = !by_group ? 0 : by_lane ? scope->group[expr->axis] : 1;
        index.by_lane[expr->axis] = by_lane;
        return index;
    }
    bool flat = scope->axes <= 1 && scope->group[1] == 1 && scope->group[2] == 1;
    if (by_group && !flat) {
        index.by_linear = 1;
        return by_lane ? index : unknown;
    }
    index.by_group[0] = !by_group ? 0 : by_lane ? scope->group[0] : 1;
    index.by_lane[0] = by_lane;
    index.by_lane[1] = by_lane && !flat ? scope->group[0] : 0;
    index.by_lane[2] = by_lane && !flat ? scope->group[0] * scope->group[1] : 0;
    return index;
}

static group_index of_builtin(const index_scope *scope, const gf_expr *expr) {
    switch (expr->builtin) {
    case GF_BUILTIN_GID:
    case GF_BUILTIN_LID:
    case GF_BUILTIN_WID:
        return of_id(scope, expr);
    case GF_BUILTIN_GROUP_SIZE: {
        int64_t all = scope->group[0] * scope->group[1] * scope->group[2];
        int64_t size = expr->axis < GF_AXIS_LINEAR ? scope->group[expr->axis] : all;
        return number(size, size);
    }
    case GF_BUILTIN_GRID_SIZE:
    case GF_BUILTIN_SPACE:
    case GF_BUILTIN_RANK:
    case GF_BUILTIN_RANKS:
        break;
    }
    return of_launch(expr);
}

static group_index of_two(const index_scope *scope, const gf_expr *expr, group_index a, group_index b) {
    gf_op op = expr->op;
    if (op == GF_OP_ADD || op == GF_OP_SUB) {
        return add(a, op == GF_OP_SUB ? scale(b, -1) : b);
    }
    if (op == GF_OP_OR || op == GF_OP_XOR) {
        return change_low_bits(scope, a, b);
    }
    if (op == GF_OP_MIN || op == GF_OP_MAX) {
        group_index joined = join(scope, a, b);
        bool is_limit = op == GF_OP_MIN && is_number(&b) && b.low >= 0 && !gf_type_is_signed(expr->type);
        return joined.is_known || !is_limit ? joined : number(0, b.low);
    }
    if (op == GF_OP_MUL && is_number(&a)) {
        return scale(b, a.low);
    }
    if (!is_number(&b)) {
        return unknown;
    }
    bool is_shift = op == GF_OP_SHL || op == GF_OP_SHR;
    if (is_shift && (b.low < 0 || b.low >= 32)) {
        return unknown;
    }
    int64_t by = is_shift ? (int64_t)1 << b.low : b.low;
    if (op == GF_OP_MUL || op == GF_OP_SHL) {
        return scale(a, by);
    }
    if (op == GF_OP_DIV || op == GF_OP_SHR) {
        return divide(scope, a, by);
    }
    if (op == GF_OP_REM) {
        return remainder_of(scope, a, by, gf_type_is_signed(expr->type));
    }
    return op == GF_OP_AND ? mask(scope, a, by, expr->type) : unknown;
}

static group_index of_op(const index_scope *scope, const gf_expr *expr) {
    if (gf_type_is_float(expr->type) || expr->type == GF_TYPE_BOOL || expr->arg_count == 0) {
        return unknown;
    }
    if (expr->op == GF_OP_SELECT) {
        return join(scope, gf_check_group_index(scope, expr->args[1]), gf_check_group_index(scope, expr->args[2]));
    }
    group_index args[3], made = unknown;
    bool is_launch = true;
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = gf_check_group_index(scope, expr->args[i]);
        is_launch = is_launch && is_fixed(&args[i]);
    }
    if (expr->op == GF_OP_NEG) {
        made = scale(args[0], -1);
    } else if (expr->op == GF_OP_COMPLEMENT && is_number(&args[0])) {
        made = of_bits(~(uint64_t)args[0].low & (expr->type == GF_TYPE_U32 ? UINT32_MAX : UINT64_MAX), expr->type);
    } else if (expr->arg_count == 2) {
        made = of_two(scope, expr, args[0], args[1]);
    }
    return made.is_known || !is_launch ? made : of_launch(expr);
}

group_index gf_check_group_index(const index_scope *scope, const gf_expr *expr) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return of_bits(expr->bits, expr->type);
    case GF_EXPR_NAME:
        if (expr->ref.symbol->kind == GF_SYMBOL_CONST) {
            return of_bits(expr->ref.symbol->constant.bits, expr->ref.symbol->constant.type);
        }
        return expr->ref.symbol->kind == GF_SYMBOL_PARAM ? of_launch(expr) : scope->names[expr->ref.symbol->id];
    case GF_EXPR_BUILTIN:
        return of_builtin(scope, expr);
    case GF_EXPR_LEN:
        return of_launch(expr);
    case GF_EXPR_OP:
        return of_op(scope, expr);
    case GF_EXPR_CAST:
        return gf_type_is_float(expr->type) || gf_type_is_float(expr->args[0]->type) ||
                       expr->args[0]->type == GF_TYPE_BOOL
                   ? unknown
                   : gf_check_group_index(scope, expr->args[0]);
    case GF_EXPR_LOAD:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_BITCAST:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        break;
    }
    return unknown;
}

group_index gf_check_loop_index(const index_scope *scope, const gf_stmt *loop) {
    group_index from = gf_check_settle_lanes(scope, gf_check_group_index(scope, loop->from));
    group_index to = gf_check_settle_lanes(scope, gf_check_group_index(scope, loop->to));
    if (!is_parallel(&from, &to)) {
        return unknown;
    }
    from.high = to.high > from.low ? to.high - 1 : from.low;
    return from;
}

/* ---- where two indices meet ---- */

void gf_check_index_scope(index_scope *scope, const gf_kernel_decl *kernel, group_index *names,
                          const unsigned char *ids) {
    *scope = (index_scope){.names = names, .ids = ids, .axes = kernel->space_axes};
    for (int k = 0; k < 3; k++) {
        scope->group[k] = kernel->workgroup[k];
        scope->lane_high[k] = (int64_t)kernel->workgroup[k] - 1;
        scope->groups[k] = 1;
        if (kernel->space_kind == GF_SPACE_INDIRECT) {
            scope->groups[k] = k == 0 || kernel->workgroup[k] > 1 ? 0 : 1;
        } else if ((size_t)k < kernel->space_axes) {
            group_index space = gf_check_group_index(scope, kernel->space[k]);
            int64_t count = is_number(&space) ? space.low : 0;
            bool whole = kernel->space_kind == GF_SPACE_GROUPS;
            scope->groups[k] = whole ? count : (count + scope->group[k] - 1) / scope->group[k];
        }
    }
}

bool gf_check_has_groups(const index_scope *scope, int axis) {
    return scope->groups[axis] != 1;
}

/* Of indices without gid.linear. */
static bool ranges_meet(const index_scope *scope, const group_index *a, const group_index *b) {
    int64_t low[2] = {a->low, b->low}, high[2] = {a->high, b->high};
    for (int k = 0; k < 3; k++) {
        int64_t last = scope->groups[k] == 0 ? (int64_t)UINT32_MAX : scope->groups[k] - 1;
        const int64_t by[2] = {a->by_group[k], b->by_group[k]};
        for (int side = 0; side < 2; side++) {
            if (by[side] > (int64_t)1 << 30 || by[side] < -((int64_t)1 << 30)) {
                return true;
            }
            low[side] += by[side] < 0 ? by[side] * last : 0;
            high[side] += by[side] > 0 ? by[side] * last : 0;
        }
    }
    return low[0] <= high[1] && low[1] <= high[0];
}

/* Whether a multiple of `step` other than 0 lies in [low, high]. */
static bool has_multiple(int64_t step, int64_t low, int64_t high) {
    step = step < 0 ? -step : step;
    return (high >= step && round_down(high, step) >= low) || (low <= -step && -round_down(-low, step) <= high);
}

index_overlap gf_check_index_overlap(const index_scope *scope, const group_index *a, const group_index *b) {
    if (!a->is_known || !b->is_known || !is_same_base(a, b)) {
        return INDEX_UNSURE;
    }
    if (a->by_linear != 0 || b->by_linear != 0) {
        group_index rest = *a, other = *b;
        rest.by_linear = other.by_linear = 0;
        bool alone = a->by_linear == b->by_linear && !has_ids(&rest) && !has_ids(&other);
        return !alone ? INDEX_UNSURE
                      : (has_multiple(a->by_linear, a->low - b->high, a->high - b->low) ? INDEX_SHARED : INDEX_APART);
    }
    int axes = 0, axis = 0;
    bool same = true, somewhere_none = false;
    for (int k = 0; k < 3; k++) {
        if (gf_check_has_groups(scope, k)) {
            axes++;
            axis = k;
            same = same && a->by_group[k] == b->by_group[k];
            somewhere_none = somewhere_none || (a->by_group[k] == 0 && b->by_group[k] == 0);
        }
    }
    if (axes == 0 || !ranges_meet(scope, a, b)) {
        return INDEX_APART;
    }
    int64_t low = a->low - b->high, high = a->high - b->low; /* of a - b in one workgroup */
    bool meet_at_home = low <= 0 && high >= 0;
    if (axes > 1) {
        return same && somewhere_none && meet_at_home ? INDEX_SHARED : INDEX_UNSURE;
    }
    if (!same) {
        return INDEX_SHARED;
    }
    int64_t step = a->by_group[axis];
    return step == 0 ? (meet_at_home ? INDEX_SHARED : INDEX_APART)
                     : (has_multiple(step, low, high) ? INDEX_SHARED : INDEX_APART);
}

/* ---- conditions on lids ---- */

/* Comparisons, what holds where they do not, and what they are with their sides exchanged. */
static const struct {
    gf_op op, opposite, mirrored;
} comparisons[] = {{GF_OP_EQ, GF_OP_NE, GF_OP_EQ}, {GF_OP_NE, GF_OP_EQ, GF_OP_NE}, {GF_OP_LT, GF_OP_GE, GF_OP_GT},
                   {GF_OP_LE, GF_OP_GT, GF_OP_GE}, {GF_OP_GT, GF_OP_LE, GF_OP_LT}, {GF_OP_GE, GF_OP_LT, GF_OP_LE}};

static gf_op opposite(gf_op op) {
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (comparisons[i].op == op) {
            return comparisons[i].opposite;
        }
    }
    return GF_OP_NONE;
}

static gf_op mirrored(gf_op op) {
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (comparisons[i].op == op) {
            return comparisons[i].mirrored;
        }
    }
    return GF_OP_NONE;
}

static int64_t floor_divide(int64_t a, int64_t by) {
    return round_down(a, by) / by;
}

/* Where `factor * lid + [low, high] op 0` may hold. */
static void narrow_axis(index_scope *scope, int axis, int64_t factor, int64_t low, int64_t high, gf_op op) {
    int64_t *first = &scope->lane_low[axis], *last = &scope->lane_high[axis];
    if (factor < 0) {
        op = mirrored(op);
        int64_t old = low;
        low = -high;
        high = -old;
        factor = -factor;
    }
    if (op == GF_OP_LT || op == GF_OP_LE || op == GF_OP_EQ) { /* factor * lid <= -low (- 1) */
        int64_t most = floor_divide(-low - (op == GF_OP_LT), factor);
        *last = most < *last ? most : *last;
    }
    if (op == GF_OP_GT || op == GF_OP_GE || op == GF_OP_EQ) {
        int64_t least = -floor_divide(high - (op == GF_OP_GT), factor);
        *first = least > *first ? least : *first;
    }
    if (op == GF_OP_NE && low == high && low % factor == 0) {
        *first += *first == -low / factor;
        *last -= *last == -low / factor;
    }
}

bool gf_check_narrow_lanes(index_scope *scope, const gf_expr *expr, bool holds) {
    if (expr->kind == GF_EXPR_OP && opposite(expr->op) != GF_OP_NONE && expr->args[0]->type != GF_TYPE_BOOL &&
        !gf_type_is_float(expr->args[0]->type)) {
        group_index difference =
            add(gf_check_group_index(scope, expr->args[0]), scale(gf_check_group_index(scope, expr->args[1]), -1));
        int axis = -1, count = 0;
        bool by_group = difference.by_linear != 0;
        for (int k = 0; k < 3; k++) {
            by_group = by_group || difference.by_group[k] != 0;
            if (difference.by_lane[k] != 0) {
                axis = k;
                count++;
            }
        }
        if (difference.is_known && !by_group && difference.base == NULL && count == 1) {
            narrow_axis(scope, axis, difference.by_lane[axis], difference.low, difference.high,
                        holds ? expr->op : opposite(expr->op));
            return true;
        }
    }
    return (gf_check_ids_in(scope->ids, expr) & INDEX_LID) == 0;
}
