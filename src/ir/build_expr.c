/* Expressions of the builder. */
#include "base/str.h"
#include "ir/builder.h"
#include "ir/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ARGUMENTS = 1000 };

typedef struct expr_job {
    gf_builder *b;
    gf_expr draft; /* its strings are the caller's */
    const gf_build_expr *const *args;
    size_t count;
    gf_build_expr *made;
} expr_job;

static void make(void *context) {
    expr_job *job = context;
    gf_arena *arena = job->b->arena;
    gf_expr *expr = gf_arena_copy(arena, &job->draft, sizeof *expr);
    const gf_expr **args = job->count == 0 ? NULL : gf_new_array(arena, const gf_expr *, job->count);
    uint64_t nodes = 1;
    uint32_t depth = 0;
    for (size_t i = 0; i < job->count; i++) {
        args[i] = job->args[i]->expr;
        nodes += job->args[i]->nodes;
        depth = depth > job->args[i]->depth ? depth : job->args[i]->depth;
    }
    expr->args = args;
    expr->arg_count = job->count;
    if (expr->ref.name != NULL) {
        expr->ref.name = gf_arena_string(arena, expr->ref.name, strlen(expr->ref.name));
    }
    if (expr->text != NULL) {
        expr->text = gf_arena_string(arena, expr->text, strlen(expr->text));
    }
    job->made = gf_new(arena, gf_build_expr);
    *job->made = (gf_build_expr){.owner = job->b,
                                 .expr = expr,
                                 .depth = depth + 1,
                                 .nodes = nodes > GF_BUILD_NODES ? GF_BUILD_NODES + 1 : (uint32_t)nodes};
}

static const gf_build_expr *add(gf_builder *b, gf_expr draft, const gf_build_expr *const *args, size_t count) {
    if (b == NULL) {
        return NULL;
    }
    expr_job job = {.b = b, .draft = draft, .args = args, .count = count};
    for (size_t i = 0; i < count; i++) {
        if (!gf_build_check_expr(b, args[i])) {
            return NULL;
        }
        if (args[i]->depth >= GF_BUILD_DEPTH) {
            gf_build_fail(b, GF_CODE_BUILD_DEPTH, "an expression is nested more than %d deep", GF_BUILD_DEPTH);
            return NULL;
        }
    }
    if (!gf_arena_protect(b->arena, make, &job)) {
        gf_build_fail_memory(b);
        return NULL;
    }
    return job.made;
}

static const gf_build_expr *add_named(gf_builder *b, gf_expr draft, const char *name, const gf_build_expr *const *args,
                                      size_t count) {
    draft.ref.name = name;
    return gf_build_check_name(b, name) ? add(b, draft, args, count) : NULL;
}

/* ---- literals ---- */

static const gf_build_expr *add_integer(gf_builder *b, uint64_t magnitude, bool negative, gf_type type) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, magnitude);
    const gf_build_expr *expr =
        add(b, (gf_expr){.kind = GF_EXPR_LITERAL, .axis = GF_AXIS_NONE, .bits = magnitude, .text = text}, NULL, 0);
    expr = negative ? gf_build_op1(b, "-", expr) : expr;
    return type == GF_TYPE_NONE ? expr : gf_build_cast(b, type, expr);
}

static const gf_build_expr *add_real(gf_builder *b, gf_type spelled_as, double value, gf_type type) {
    bool negative = signbit(value) && value == value;
    double magnitude = fabs(value);
    uint64_t bits = 0;
    if (spelled_as == GF_TYPE_F32) {
        float narrow = (float)magnitude;
        uint32_t low;
        memcpy(&low, &narrow, sizeof low);
        bits = low;
    } else {
        memcpy(&bits, &magnitude, sizeof bits);
    }
    gf_str text = {0};
    gf_print_float(spelled_as, bits, &text);
    if (b != NULL && text.failed) {
        gf_build_fail_memory(b);
        gf_str_free(&text);
        return NULL;
    }
    const gf_build_expr *expr =
        add(b, (gf_expr){.kind = GF_EXPR_LITERAL, .axis = GF_AXIS_NONE, .is_float = true, .text = text.text}, NULL, 0);
    gf_str_free(&text);
    expr = negative ? gf_build_op1(b, "-", expr) : expr;
    return type == GF_TYPE_NONE ? expr : gf_build_cast(b, type, expr);
}

const gf_build_expr *gf_build_integer(gf_builder *b, uint64_t value) {
    return add_integer(b, value, false, GF_TYPE_NONE);
}

const gf_build_expr *gf_build_real(gf_builder *b, double value) {
    return add_real(b, GF_TYPE_F64, value, GF_TYPE_NONE);
}

const gf_build_expr *gf_build_bool(gf_builder *b, bool value) {
    gf_expr draft = {.kind = GF_EXPR_LITERAL,
                     .type = GF_TYPE_BOOL,
                     .axis = GF_AXIS_NONE,
                     .bits = value,
                     .text = value ? "true" : "false"};
    return add(b, draft, NULL, 0);
}

const gf_build_expr *gf_build_u32(gf_builder *b, uint32_t value) {
    return add_integer(b, value, false, GF_TYPE_U32);
}

const gf_build_expr *gf_build_i32(gf_builder *b, int32_t value) {
    return add_integer(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, GF_TYPE_I32);
}

const gf_build_expr *gf_build_u64(gf_builder *b, uint64_t value) {
    return add_integer(b, value, false, GF_TYPE_U64);
}

const gf_build_expr *gf_build_i64(gf_builder *b, int64_t value) {
    return add_integer(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, GF_TYPE_I64);
}

const gf_build_expr *gf_build_f32(gf_builder *b, float value) {
    return add_real(b, GF_TYPE_F32, (double)value, GF_TYPE_F32);
}

const gf_build_expr *gf_build_f64(gf_builder *b, double value) {
    return add_real(b, GF_TYPE_F64, value, GF_TYPE_F64);
}

/* ---- what is there ---- */

const gf_build_expr *gf_build_name(gf_builder *b, const char *name) {
    return add_named(b, (gf_expr){.kind = GF_EXPR_NAME, .axis = GF_AXIS_NONE}, name, NULL, 0);
}

const gf_build_expr *gf_build_builtin(gf_builder *b, const char *name) {
    static const struct {
        const char *name;
        gf_builtin builtin;
    } rows[] = {
        {"gid", GF_BUILTIN_GID},
        {"lid", GF_BUILTIN_LID},
        {"wid", GF_BUILTIN_WID},
        {"grid_size", GF_BUILTIN_GRID_SIZE},
        {"group_size", GF_BUILTIN_GROUP_SIZE},
        {"space", GF_BUILTIN_SPACE},
        {"rank", GF_BUILTIN_RANK},
        {"ranks", GF_BUILTIN_RANKS},
    };
    static const char *const axes[] = {
        [GF_AXIS_X] = ".x", [GF_AXIS_Y] = ".y", [GF_AXIS_Z] = ".z", [GF_AXIS_LINEAR] = ".linear", [GF_AXIS_NONE] = ""};
    if (b == NULL) {
        return NULL;
    }
    for (size_t i = 0; name != NULL && i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].name);
        for (gf_axis axis = GF_AXIS_X; axis <= GF_AXIS_NONE; axis++) {
            bool has_axis = rows[i].builtin != GF_BUILTIN_RANK && rows[i].builtin != GF_BUILTIN_RANKS;
            if (has_axis == (axis != GF_AXIS_NONE) && strncmp(name, rows[i].name, length) == 0 &&
                strcmp(name + length, axes[axis]) == 0) {
                return add(b, (gf_expr){.kind = GF_EXPR_BUILTIN, .builtin = rows[i].builtin, .axis = axis}, NULL, 0);
            }
        }
    }
    gf_build_fail(b, GF_CODE_BUILD_KIND, "there is no built-in `%.60s`", name == NULL ? "NULL" : name);
    return NULL;
}

const gf_build_expr *gf_build_len(gf_builder *b, const char *buffer) {
    return add_named(b, (gf_expr){.kind = GF_EXPR_LEN, .axis = GF_AXIS_NONE}, buffer, NULL, 0);
}

const gf_build_expr *gf_build_load(gf_builder *b, const char *array, const gf_build_expr *index) {
    return add_named(b, (gf_expr){.kind = GF_EXPR_LOAD, .axis = GF_AXIS_NONE}, array, &index, 1);
}

/* ---- operations ---- */

static const gf_build_expr *add_op(gf_builder *b, const char *name, const gf_build_expr *const *args, size_t count) {
    if (b == NULL) {
        return NULL;
    }
    if (name != NULL && count == 2 && (strcmp(name, "&&") == 0 || strcmp(name, "||") == 0)) {
        gf_expr_kind kind = *name == '&' ? GF_EXPR_AND : GF_EXPR_OR;
        return add(b, (gf_expr){.kind = kind, .axis = GF_AXIS_NONE}, args, count);
    }
    gf_op op = name == NULL ? GF_OP_NONE : gf_op_from_name(name, strlen(name), (unsigned)count);
    if (op == GF_OP_NONE) {
        gf_build_fail(b, GF_CODE_BUILD_KIND, "there is no operation `%.60s` of %zu operands",
                      name == NULL ? "NULL" : name, count);
        return NULL;
    }
    return add(b, (gf_expr){.kind = GF_EXPR_OP, .op = op, .axis = GF_AXIS_NONE}, args, count);
}

const gf_build_expr *gf_build_op1(gf_builder *b, const char *op, const gf_build_expr *x) {
    return add_op(b, op, (const gf_build_expr *const[]){x}, 1);
}

const gf_build_expr *gf_build_op2(gf_builder *b, const char *op, const gf_build_expr *x, const gf_build_expr *y) {
    return add_op(b, op, (const gf_build_expr *const[]){x, y}, 2);
}

const gf_build_expr *gf_build_op3(gf_builder *b, const char *op, const gf_build_expr *x, const gf_build_expr *y,
                                  const gf_build_expr *z) {
    return add_op(b, op, (const gf_build_expr *const[]){x, y, z}, 3);
}

static const gf_build_expr *add_cast(gf_builder *b, gf_expr_kind kind, gf_type type, const gf_build_expr *x) {
    if (b == NULL) {
        return NULL;
    }
    if ((unsigned)type >= GF_TYPE_COUNT || type == GF_TYPE_NONE) {
        gf_build_fail(b, GF_CODE_BUILD_KIND, "%d is no type", (int)type);
        return NULL;
    }
    return add(b, (gf_expr){.kind = kind, .type = type, .axis = GF_AXIS_NONE}, &x, 1);
}

const gf_build_expr *gf_build_cast(gf_builder *b, gf_type type, const gf_build_expr *x) {
    return add_cast(b, GF_EXPR_CAST, type, x);
}

const gf_build_expr *gf_build_bitcast(gf_builder *b, gf_type type, const gf_build_expr *x) {
    return add_cast(b, GF_EXPR_BITCAST, type, x);
}

const gf_build_expr *gf_build_atomic(gf_builder *b, const char *atomic, const char *array, const gf_build_expr *index,
                                     const gf_build_expr *x, const gf_build_expr *y) {
    if (b == NULL) {
        return NULL;
    }
    gf_atomic kind = atomic == NULL ? GF_ATOMIC_COUNT : gf_atomic_from_name(atomic, strlen(atomic));
    if (kind == GF_ATOMIC_COUNT) {
        gf_build_fail(b, GF_CODE_BUILD_KIND, "there is no atomic `%.60s`", atomic == NULL ? "NULL" : atomic);
        return NULL;
    }
    size_t wanted = gf_atomic_operands(kind);
    if ((wanted < 2 && y != NULL) || (wanted < 1 && x != NULL)) {
        gf_build_fail(b, GF_CODE_BUILD_KIND, "%s takes %zu operands behind its element", atomic, wanted);
        return NULL;
    }
    return add_named(b, (gf_expr){.kind = GF_EXPR_ATOMIC, .atomic = kind, .axis = GF_AXIS_NONE}, array,
                     (const gf_build_expr *const[]){index, x, y}, 1 + wanted);
}

const gf_build_expr *gf_build_cross(gf_builder *b, const char *operation, const gf_build_expr *x) {
    if (b == NULL) {
        return NULL;
    }
    bool grid = operation != NULL && strncmp(operation, "grid_", 5) == 0;
    bool group = operation != NULL && strncmp(operation, "group_", 6) == 0;
    const char *rest = grid ? operation + 5 : group ? operation + 6 : "";
    gf_cross cross = gf_cross_from_name(rest, strlen(rest));
    if (cross == GF_CROSS_COUNT || !gf_cross_exists(cross, grid)) {
        gf_build_fail(b, GF_CODE_BUILD_KIND, "there is no group or grid operation `%.60s`",
                      operation == NULL ? "NULL" : operation);
        return NULL;
    }
    if (cross == GF_CROSS_LOAD && x != NULL && x->expr->kind != GF_EXPR_LOAD) {
        gf_build_fail(b, GF_CODE_BUILD_KIND, "%s takes an element of a buffer", operation);
        return NULL;
    }
    gf_expr draft = {
        .kind = GF_EXPR_CROSS, .cross = cross, .level = grid ? GF_LEVEL_GRID : GF_LEVEL_GROUP, .axis = GF_AXIS_NONE};
    return add(b, draft, &x, 1);
}

const gf_build_expr *gf_build_call(gf_builder *b, const char *function, const gf_build_expr *const *arguments,
                                   size_t count) {
    if (b == NULL) {
        return NULL;
    }
    if (count > MOST_ARGUMENTS || (count != 0 && arguments == NULL)) {
        gf_build_fail(b, GF_CODE_BUILD_VALUE, "the arguments of a call are NULL, or more than %d", MOST_ARGUMENTS);
        return NULL;
    }
    return add_named(b, (gf_expr){.kind = GF_EXPR_CALL, .axis = GF_AXIS_NONE}, function, arguments, count);
}
