/* Atomics: relaxed, on an element that is there. What orders is the barrier.
 *
 * Those that often change nothing (min, max, and, or, compare_exchange) look first: a load is cheaper than an atomic,
 * and where nothing would change it is all that happens, which is one of the orders that the language allows. Floats
 * are added and compared in a loop around compare-and-swap: what the hardware does flushes subnormals and has another
 * NaN. */
#include "emit/ptx/emitter.h"
#include "emit/ptx/pack.h"
#include "ir/visit.h"
#include <stdio.h>

static const gf_pv none = {0};

typedef struct atomic_use {
    const gf_expr *expr;
    const gf_ptx_array *array;
    gf_type type, bits; /* of the element; the unsigned integer of its width */
    unsigned width;
    bool used;
    gf_ptx_element element;
    gf_pv a, b; /* operands, as bits; for floats that are combined `a` as it is */
} atomic_use;

static bool is_guarded(const atomic_use *use) {
    return use->element.has_inside;
}

static gf_pv constant_bool(bool value) {
    return gf_ptx_constant(GF_TYPE_BOOL, value);
}

static gf_pv inside(const atomic_use *use) {
    return is_guarded(use) ? use->element.inside : constant_bool(true);
}

/* "@%p3 ", or nothing where it always holds. */
typedef struct guard {
    char text[32];
} guard;

static guard guard_of(gf_ptx_emit *e, gf_pv condition) {
    guard g = {{0}};
    if (!condition.is_constant || condition.bits == 0) {
        (void)snprintf(g.text, sizeof g.text, "@%s ", gf_ptx_spell(gf_ptx_register(&e->p, condition)).text);
    }
    return g;
}

/* ".relaxed.gpu.global": who else may touch it. Of arrays of one invocation there are no atomics. */
static const char *strength(const atomic_use *use) {
    return use->array->space == GF_PTX_SHARED ? ".relaxed.cta.shared" : ".relaxed.gpu.global";
}

/* ---- single instructions ---- */

/* `old` becomes the element where the condition holds. */
static void load_into(gf_ptx_emit *e, const atomic_use *use, gf_pv condition, gf_pv old) {
    bool is_steady = use->array->space == GF_PTX_GLOBAL && !use->array->is_written;
    const char *how = gf_ptx_is_constant(use->array) ? ".global.nc" : is_steady ? ".global" : strength(use);
    gf_ptx_line(&e->p, "%sld%s.u%u %s, [%s]", guard_of(e, condition).text, how, use->width, gf_ptx_spell(old).text,
                use->element.address);
}

static void store_bits(gf_ptx_emit *e, const atomic_use *use, gf_pv condition, gf_pv bits) {
    guard g = guard_of(e, condition);
    gf_pv value = gf_ptx_register(&e->p, bits);
    gf_ptx_line(&e->p, "%sst%s.u%u [%s], %s", g.text, strength(use), use->width, use->element.address,
                gf_ptx_spell(value).text);
}

/* A register for the old bits; 0 where the element is not inside. */
static gf_pv new_old(gf_ptx_emit *e, const atomic_use *use) {
    gf_pv old = gf_ptx_new_value(&e->p, use->bits);
    if (is_guarded(use)) {
        gf_ptx_move(&e->p, old, gf_ptx_constant(use->bits, 0));
    }
    return old;
}

static gf_op op_of(gf_atomic atomic) {
    static const gf_op ops[GF_ATOMIC_COUNT] = {
        [GF_ATOMIC_ADD] = GF_OP_ADD, [GF_ATOMIC_SUB] = GF_OP_SUB, [GF_ATOMIC_MIN] = GF_OP_MIN,
        [GF_ATOMIC_MAX] = GF_OP_MAX, [GF_ATOMIC_AND] = GF_OP_AND, [GF_ATOMIC_OR] = GF_OP_OR,
        [GF_ATOMIC_XOR] = GF_OP_XOR,
    };
    return ops[atomic];
}

/* What the atomic leaves of the old bits, as bits; not of COMPARE_EXCHANGE. */
static gf_pv new_bits(gf_ptx_emit *e, const atomic_use *use, gf_pv old) {
    gf_ptx *p = &e->p;
    gf_op op = op_of(use->expr->atomic);
    if (op == GF_OP_NONE) {
        return use->a;
    }
    gf_pv value = gf_ptx_bitcast(p, use->type, old);
    gf_pv operand = gf_type_is_float(use->type) ? use->a : gf_ptx_bitcast(p, use->type, use->a);
    return gf_ptx_bitcast(p, use->bits, gf_ptx_op(p, op, use->type, use->type, value, operand, none));
}

static gf_pv differ(gf_ptx_emit *e, const atomic_use *use, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_NE, use->bits, use->bits, a, b, none);
}

static gf_pv are_equal(gf_ptx_emit *e, const atomic_use *use, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_EQ, use->bits, use->bits, a, b, none);
}

/* "add.u32", "min.s64", "and.b32", "exch.b32" and the operand, for an integer atomic of one instruction. */
static void modify(gf_ptx_emit *e, const atomic_use *use, gf_pv condition, const gf_pv *old) {
    static const char *const names[GF_ATOMIC_COUNT] = {
        [GF_ATOMIC_STORE] = "exch.b", [GF_ATOMIC_ADD] = "add.u",       [GF_ATOMIC_SUB] = "add.u",
        [GF_ATOMIC_MIN] = "min.u",    [GF_ATOMIC_MAX] = "max.u",       [GF_ATOMIC_AND] = "and.b",
        [GF_ATOMIC_OR] = "or.b",      [GF_ATOMIC_EXCHANGE] = "exch.b", [GF_ATOMIC_XOR] = "xor.b",
    };
    static const char *const signed_names[GF_ATOMIC_COUNT] = {[GF_ATOMIC_MIN] = "min.s", [GF_ATOMIC_MAX] = "max.s"};
    gf_ptx *p = &e->p;
    gf_atomic atomic = use->expr->atomic;
    const char *name =
        gf_type_is_signed(use->type) && signed_names[atomic] != NULL ? signed_names[atomic] : names[atomic];
    gf_pv a = use->a;
    if (atomic == GF_ATOMIC_SUB) {
        a = gf_ptx_op(p, GF_OP_SUB, use->bits, use->bits, gf_ptx_constant(use->bits, 0), a, none);
    }
    guard g = guard_of(e, condition);
    if (old != NULL) {
        gf_ptx_line(p, "%satom%s.%s%u %s, [%s], %s", g.text, strength(use), name, use->width, gf_ptx_spell(*old).text,
                    use->element.address, gf_ptx_spell(a).text);
    } else {
        gf_ptx_line(p, "%sred%s.%s%u [%s], %s", g.text, strength(use), name, use->width, use->element.address,
                    gf_ptx_spell(a).text);
    }
}

/* ---- whether the program looks first ---- */

typedef struct look {
    gf_ptx_emit *e;
    const atomic_use *use;
    unsigned budget; /* of definitions that are looked into */
    bool found;
} look;

static bool find_look(void *user, const gf_expr *expr) {
    look *l = user;
    const gf_visitor visitor = {.user = l, .expr = find_look};
    if (expr->kind == GF_EXPR_ATOMIC && expr->ref.symbol == l->use->expr->ref.symbol) {
        l->found |= gf_equal_expr(expr->args[0], l->use->expr->args[0]);
    }
    if (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_LET && l->budget > 0) {
        const gf_expr *definition = gf_ptx_name_of(l->e, expr->ref.symbol)->definition;
        l->budget--;
        gf_visit_expr(&visitor, definition);
    }
    return !l->found;
}

/* A condition around was made with the element's value: it speaks for the atomic. */
static bool has_looked(gf_ptx_emit *e, const atomic_use *use) {
    look l = {.e = e, .use = use, .budget = 16};
    const gf_visitor visitor = {.user = &l, .expr = find_look};
    for (const gf_ptx_known *known = e->known; known != NULL && !l.found; known = known->outer) {
        gf_visit_expr(&visitor, known->condition);
    }
    return l.found;
}

/* ---- the ways to do it ---- */

/* add sub xor exchange, and store where the old value is asked for. */
static gf_pv modify_at_once(gf_ptx_emit *e, const atomic_use *use) {
    if (!use->used && !use->array->is_tracked) {
        modify(e, use, inside(use), NULL);
        return none;
    }
    gf_pv old = new_old(e, use);
    modify(e, use, inside(use), &old);
    if (use->array->is_tracked) {
        gf_ptx_note_change(e, gf_ptx_both(e, differ(e, use, new_bits(e, use, old), old), inside(use)));
    }
    return old;
}

/* min max and or: of integers. */
static gf_pv look_and_modify(gf_ptx_emit *e, const atomic_use *use) {
    gf_ptx *p = &e->p;
    if (has_looked(e, use)) {
        return modify_at_once(e, use);
    }
    gf_pv old = new_old(e, use);
    load_into(e, use, inside(use), old);
    gf_pv changes = gf_ptx_both(e, differ(e, use, new_bits(e, use, old), old), inside(use));
    changes = gf_ptx_register(p, changes);
    modify(e, use, changes, use->used ? &old : NULL);
    if (use->array->is_tracked) {
        gf_ptx_note_change(e, changes);
    }
    return old;
}

static gf_pv compare_exchange(gf_ptx_emit *e, const atomic_use *use) {
    gf_ptx *p = &e->p;
    gf_pv old = new_old(e, use), fits = inside(use);
    if (!has_looked(e, use)) {
        load_into(e, use, fits, old);
        fits = gf_ptx_register(p, gf_ptx_both(e, are_equal(e, use, old, use->a), fits));
    }
    gf_ptx_line(p, "%satom%s.cas.b%u %s, [%s], %s, %s", guard_of(e, fits).text, strength(use), use->width,
                gf_ptx_spell(old).text, use->element.address, gf_ptx_spell(use->a).text, gf_ptx_spell(use->b).text);
    if (use->array->is_tracked) {
        gf_pv done = gf_ptx_both(e, fits, are_equal(e, use, old, use->a));
        gf_ptx_note_change(e, gf_ptx_both(e, done, differ(e, use, use->a, use->b)));
    }
    return old;
}

/* Floats: while the new value differs, compare and swap. */
static gf_pv swap_loop(gf_ptx_emit *e, const atomic_use *use) {
    gf_ptx *p = &e->p;
    uint32_t again = gf_ptx_label(p), after = gf_ptx_label(p);
    gf_pv old = new_old(e, use), seen = gf_ptx_new_value(p, use->bits);
    if (is_guarded(use)) {
        gf_ptx_jump_if(p, use->element.inside, false, after);
    }
    load_into(e, use, constant_bool(true), old);
    gf_ptx_place(p, again);
    gf_pv wanted = new_bits(e, use, old);
    gf_ptx_jump_if(p, are_equal(e, use, old, wanted), true, after);
    gf_ptx_line(p, "atom%s.cas.b%u %s, [%s], %s, %s", strength(use), use->width, gf_ptx_spell(seen).text,
                use->element.address, gf_ptx_spell(old).text, gf_ptx_spell(wanted).text);
    gf_pv failed = differ(e, use, seen, old);
    gf_ptx_move(p, old, seen);
    gf_ptx_jump_if(p, failed, true, again);
    if (use->array->is_tracked) {
        gf_ptx_note_change(e, constant_bool(true));
    }
    gf_ptx_place(p, after);
    return old;
}

/* Whose old value nobody wants. Where changes are told, what is there already is not stored again. */
static gf_pv store_only(gf_ptx_emit *e, const atomic_use *use) {
    gf_pv condition = inside(use);
    if (use->array->is_tracked) {
        gf_pv old = new_old(e, use);
        load_into(e, use, condition, old);
        condition = gf_ptx_register(&e->p, gf_ptx_both(e, differ(e, use, old, use->a), condition));
        gf_ptx_note_change(e, condition);
    }
    store_bits(e, use, condition, use->a);
    return none;
}

static gf_pv apply(gf_ptx_emit *e, const atomic_use *use) {
    bool is_float = gf_type_is_float(use->type);
    gf_atomic atomic = use->expr->atomic;
    if (atomic == GF_ATOMIC_LOAD) {
        gf_pv old = new_old(e, use);
        load_into(e, use, inside(use), old);
        return old;
    }
    if ((atomic == GF_ATOMIC_STORE || atomic == GF_ATOMIC_EXCHANGE) && !use->used) {
        return store_only(e, use);
    }
    switch (atomic) {
    case GF_ATOMIC_STORE:
    case GF_ATOMIC_EXCHANGE:
    case GF_ATOMIC_XOR:
        return modify_at_once(e, use);
    case GF_ATOMIC_ADD:
    case GF_ATOMIC_SUB:
        return is_float ? swap_loop(e, use) : modify_at_once(e, use);
    case GF_ATOMIC_MIN:
    case GF_ATOMIC_MAX:
        return is_float ? swap_loop(e, use) : look_and_modify(e, use);
    case GF_ATOMIC_AND:
    case GF_ATOMIC_OR:
        return look_and_modify(e, use);
    case GF_ATOMIC_COMPARE_EXCHANGE:
        return compare_exchange(e, use);
    case GF_ATOMIC_LOAD:
    case GF_ATOMIC_COUNT:
        break;
    }
    return none;
}

gf_pv gf_ptx_emit_atomic(gf_ptx_emit *e, const gf_expr *expr, bool used) {
    gf_ptx *p = &e->p;
    const gf_symbol *array = expr->ref.symbol;
    gf_pv value;
    if (e->pack != NULL && expr->atomic == GF_ATOMIC_LOAD && gf_ptx_pack_load(e, expr, &value)) {
        return value;
    }
    atomic_use use = {.expr = expr,
                      .array = gf_ptx_name_of(e, array)->array,
                      .type = array->type,
                      .bits = gf_type_bytes(array->type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32,
                      .width = 8 * (unsigned)gf_type_bytes(array->type),
                      .used = used};
    use.element = gf_ptx_emit_place(e, array, expr->args[0]);
    bool keeps = gf_type_is_float(array->type) && op_of(expr->atomic) != GF_OP_NONE;
    if (expr->arg_count > 1) {
        use.a = gf_ptx_peek_expr(e, expr->args[1]);
        use.a = keeps ? use.a : gf_ptx_bitcast(p, use.bits, use.a);
    }
    if (expr->arg_count > 2) {
        use.b = gf_ptx_bitcast(p, use.bits, gf_ptx_peek_expr(e, expr->args[2]));
    }
    gf_ptx_check_element(e, &use.element, expr->span, array, expr->args[0]);
    bool is_outside = use.element.has_inside && use.element.inside.is_constant;
    gf_pv old = is_outside ? none : apply(e, &use);
    if (e->pack != NULL && expr->atomic != GF_ATOMIC_LOAD) {
        gf_ptx_pack_wrote(e, array);
    }
    return old.type != GF_TYPE_NONE && used ? gf_ptx_bitcast(p, use.type, old) : gf_ptx_constant(use.type, 0);
}
