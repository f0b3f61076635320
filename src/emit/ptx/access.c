/* Elements of arrays: addresses, bounds, loads, stores and copies.
 *
 * A guarded access is one predicated instruction: there is no branch, so that loads can be under way together. An
 * address outside is computed and not used. */
#include "emit/ptx/abi.h"
#include "emit/ptx/emitter.h"
#include "emit/ptx/pack.h"
#include "emit/ptx/rows.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_OFFSET ((uint64_t)1 << 30) /* in an address; PTX allows 2^31 - 1 */

gf_ptx_named *gf_ptx_name_of(gf_ptx_emit *e, const gf_symbol *symbol) {
    return &e->names[symbol->id];
}

gf_pv gf_ptx_array_count(gf_ptx_emit *e, const gf_symbol *array) {
    if (array->kind == GF_SYMBOL_SHARED || (array->kind == GF_SYMBOL_VAR && array->is_array)) {
        return gf_ptx_constant(GF_TYPE_U64, array->length);
    }
    return gf_ptx_name_of(e, array)->array->count;
}

const char *gf_ptx_space_name(const gf_ptx_array *array) {
    static const char *const names[] = {
        [GF_PTX_GLOBAL] = ".global", [GF_PTX_SHARED] = ".shared", [GF_PTX_LOCAL] = ".local",
        [GF_PTX_THREAD] = ".global", [GF_PTX_NEAR] = "",          [GF_PTX_OWN] = ""};
    return names[array->space];
}

static gf_pv operate(gf_ptx_emit *e, gf_op op, gf_type type, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, op, type, type, a, b, (gf_pv){0});
}

static gf_pv negate(gf_ptx_emit *e, gf_pv condition) {
    return gf_ptx_op(&e->p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_BOOL, condition, (gf_pv){0}, (gf_pv){0});
}

static gf_pv word(uint64_t value) {
    return gf_ptx_constant(GF_TYPE_U64, value);
}

static bool is_false(gf_pv condition) {
    return condition.is_constant && condition.bits == 0;
}

static bool is_true(gf_pv condition) {
    return condition.is_constant && condition.bits != 0;
}

void gf_ptx_note_change(gf_ptx_emit *e, gf_pv changed) {
    gf_ptx_move(&e->p, e->changed, operate(e, GF_OP_OR, GF_TYPE_BOOL, e->changed, changed));
}

/* ---- where an element lies ---- */

static gf_pv low_half(gf_ptx_emit *e, gf_pv v) {
    return gf_type_bytes(v.type) == 8 ? gf_ptx_cast(&e->p, GF_TYPE_U32, v) : v;
}

/* In 32 bits where both fit: then a negative index, read as unsigned, is larger than any count. */
static gf_pv is_inside(gf_ptx_emit *e, gf_pv index, gf_pv count) {
    bool is_small = count.is_constant ? count.bits <= UINT32_MAX : !e->options.wide;
    if (gf_type_bytes(index.type) == 8 || !is_small || index.is_constant) {
        index = gf_ptx_extend(&e->p, index);
    }
    if (index.is_constant && count.is_constant) {
        return gf_ptx_constant(GF_TYPE_BOOL, index.bits < count.bits);
    }
    if (index.is_constant && is_small) {
        if (index.bits > UINT32_MAX) {
            return gf_ptx_constant(GF_TYPE_BOOL, 0);
        }
        index = gf_ptx_constant(GF_TYPE_U32, index.bits);
    }
    if (gf_type_bytes(index.type) == 8) {
        index.type = GF_TYPE_U64;
        return operate(e, GF_OP_LT, GF_TYPE_U64, index, count);
    }
    index.type = GF_TYPE_U32;
    return operate(e, GF_OP_LT, GF_TYPE_U32, index, low_half(e, count));
}

static void write_address(gf_ptx_element *element, const char *base, uint64_t offset) {
    if (offset == 0) {
        (void)snprintf(element->address, sizeof element->address, "%s", base);
    } else {
        (void)snprintf(element->address, sizeof element->address, "%s+%" PRIu64, base, offset);
    }
}

static void address_global(gf_ptx_emit *e, gf_ptx_element *element, gf_pv data, gf_pv index, uint64_t size) {
    gf_ptx *p = &e->p;
    uint64_t offset = 0;
    if (index.is_constant) {
        uint64_t bytes = gf_ptx_extend(p, index).bits * size;
        if (bytes < MOST_OFFSET) {
            offset = bytes;
            data = gf_ptx_register(p, data);
        } else {
            data = gf_ptx_register(p, operate(e, GF_OP_ADD, GF_TYPE_U64, data, word(bytes)));
        }
    } else {
        gf_pv at = gf_ptx_new_value(p, GF_TYPE_U64);
        gf_ptx_line(p, "%s %s, %s, %" PRIu64 ", %s", gf_type_bytes(index.type) == 8 ? "mad.lo.u64" : "mad.wide.u32",
                    gf_ptx_spell(at).text, gf_ptx_spell(index).text, size, gf_ptx_spell(data).text);
        data = at;
    }
    write_address(element, gf_ptx_spell(data).text, offset);
}

/* Variables of the function are small: their addresses have 32 bits. */
static void address_variable(gf_ptx_emit *e, gf_ptx_element *element, const gf_ptx_array *known, gf_pv index,
                             uint64_t size) {
    gf_ptx *p = &e->p;
    uint64_t offset = known->data.is_constant ? known->data.bits : 0;
    if (index.is_constant) {
        offset += gf_ptx_extend(p, index).bits * size;
    }
    if (index.is_constant && known->data.is_constant && known->base != NULL) {
        write_address(element, known->base, offset);
        return;
    }
    gf_pv at = gf_ptx_new_value(p, GF_TYPE_U32);
    const gf_ptx_operand base = gf_ptx_spell(at);
    gf_ptx_line(p, "mov.u32 %s, %s", base.text, known->base != NULL ? known->base : "0");
    if (!known->data.is_constant) {
        at = operate(e, GF_OP_ADD, GF_TYPE_U32, at, low_half(e, known->data));
    }
    if (!index.is_constant) {
        gf_pv sum = gf_ptx_new_value(p, GF_TYPE_U32);
        gf_ptx_line(p, "mad.lo.u32 %s, %s, %" PRIu64 ", %s", gf_ptx_spell(sum).text,
                    gf_ptx_spell(low_half(e, index)).text, size, gf_ptx_spell(at).text);
        at = sum;
    }
    write_address(element, gf_ptx_spell(at).text, offset);
}

/* Elements of one index of all threads lie side by side. */
static void address_thread(gf_ptx_emit *e, gf_ptx_element *element, const gf_ptx_array *known, gf_pv index) {
    gf_pv at = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_line(&e->p, "mad.wide.u32 %s, %s, %s, %s", gf_ptx_spell(at).text, gf_ptx_spell(known->stride).text,
                gf_ptx_spell(low_half(e, index)).text, gf_ptx_spell(known->data).text);
    write_address(element, gf_ptx_spell(at).text, 0);
}

static const gf_ptx_array *known_array(gf_ptx_emit *e, const gf_symbol *array) {
    return gf_ptx_name_of(e, array)->array;
}

/* The element of an index that is looked at (`inside` comes from is_inside) or known to be inside. */
static gf_ptx_element locate(gf_ptx_emit *e, const gf_symbol *array, gf_pv index, gf_pv inside) {
    gf_ptx_element element = {.has_inside = !is_true(inside), .inside = inside};
    const gf_ptx_array *known = known_array(e, array);
    if (is_false(inside)) {
        return element;
    }
    uint64_t size = gf_type_bytes(array->type);
    if (known->space == GF_PTX_THREAD) {
        address_thread(e, &element, known, index);
    } else if (known->space == GF_PTX_GLOBAL || known->space == GF_PTX_NEAR) {
        address_global(e, &element, known->data, index, size);
    } else {
        address_variable(e, &element, known, index, size);
    }
    return element;
}

gf_ptx_element gf_ptx_emit_place(gf_ptx_emit *e, const gf_symbol *array, const gf_expr *index) {
    if (known_array(e, array)->space == GF_PTX_OWN) {
        return (gf_ptx_element){0};
    }
    if (known_array(e, array)->is_by_lane) {
        assert(index->op == GF_OP_ADD && index->args[0]->op == GF_OP_MUL);
        index = index->args[0]->args[0];
    }
    gf_ptx_element in_row;
    if (gf_ptx_place_in_strip(e, array, index, &in_row)) {
        return in_row;
    }
    gf_pv at = gf_ptx_peek_expr(e, index);
    gf_pv count = gf_ptx_array_count(e, array);
    bool is_short = count.is_constant && !at.is_constant && gf_ptx_range_of(e, index).most < count.bits;
    gf_pv inside = is_short ? gf_ptx_constant(GF_TYPE_BOOL, 1) : is_inside(e, at, count);
    gf_ptx_element element = locate(e, array, at, inside);
    element.index = at;
    return element;
}

void gf_ptx_check_element(gf_ptx_emit *e, const gf_ptx_element *element, gf_span span, const gf_symbol *array,
                          const gf_expr *index) {
    if (!e->options.checked || !element->has_inside) {
        return;
    }
    gf_ptx_site place = {.array = array, .type = index->type, .span = span};
    gf_pv outside = negate(e, element->inside), value = gf_ptx_extend(&e->p, element->index);
    gf_ptx_record(e, outside, GF_PTX_BOUNDS, place, value, gf_ptx_array_count(e, array));
}

/* ---- loads ---- */

typedef struct guard {
    char text[32]; /* "@%p3 " or nothing */
} guard;

static guard guard_of(const gf_ptx_element *element) {
    guard g = {{0}};
    if (element->has_inside) {
        (void)snprintf(g.text, sizeof g.text, "@%s ", gf_ptx_spell(element->inside).text);
    }
    return g;
}

void gf_ptx_clear(gf_ptx *p, gf_ptx_class class, uint32_t number) {
    static const char *const moves[GF_PTX_CLASSES] = {[GF_PTX_P] = "mov.pred %s, 0",
                                                      [GF_PTX_R] = "mov.u32 %s, 0",
                                                      [GF_PTX_RD] = "mov.u64 %s, 0",
                                                      [GF_PTX_F] = "mov.f32 %s, 0f00000000",
                                                      [GF_PTX_D] = "mov.f64 %s, 0d0000000000000000",
                                                      [GF_PTX_H] = "mov.u16 %s, 0"};
    char line[64];
    (void)snprintf(line, sizeof line, moves[class], gf_ptx_name(class, number).text);
    gf_ptx_line(p, "%s", line);
}

/* What several turns of a row go along is looked at once in a sweep, and is often more than the second cache holds: it
 * shall leave there first what is looked at again and again. Not so what a thread goes along by itself, turn by turn.
 */
static const char *read_only(const gf_ptx_emit *e, const gf_expr *index) {
    const gf_symbol *turn = e->rows != NULL ? e->rows->stmt->target.symbol : NULL;
    bool is_once = turn != NULL && index != NULL && index->kind == GF_EXPR_NAME && index->ref.symbol == turn;
    return is_once ? ".cs.nc" : ".nc";
}

/* The element, or 0 outside. */
static gf_pv load(gf_ptx_emit *e, const gf_symbol *array, const gf_expr *index, const gf_ptx_element *element) {
    gf_ptx *p = &e->p;
    const gf_ptx_array *known = known_array(e, array);
    gf_type type = gf_type_loaded(array->type);
    if (known->space == GF_PTX_OWN) {
        gf_pv value = gf_ptx_new_value(p, type);
        gf_ptx_move(p, value, known->own);
        return value;
    }
    if (element->has_inside && is_false(element->inside)) {
        return gf_ptx_constant(type, 0);
    }
    gf_ptx_class class = gf_ptx_stored_class(array->type);
    uint32_t raw = gf_ptx_new(p, class);
    if (element->has_inside) {
        gf_ptx_clear(p, class, raw);
    }
    bool is_constant = gf_ptx_is_constant(known);
    gf_ptx_line(p, "%sld%s%s.%s %s, [%s]", guard_of(element).text, gf_ptx_space_name(known),
                is_constant ? read_only(e, index) : "", gf_ptx_stored_suffix(array->type), gf_ptx_name(class, raw).text,
                element->address);
    return gf_ptx_widen(p, array->type, raw);
}

gf_pv gf_ptx_emit_load(gf_ptx_emit *e, const gf_expr *expr) {
    gf_pv value;
    if (e->pack != NULL && gf_ptx_pack_load(e, expr, &value)) {
        return value;
    }
    gf_ptx_element element = gf_ptx_emit_place(e, expr->ref.symbol, expr->args[0]);
    gf_ptx_check_element(e, &element, expr->span, expr->ref.symbol, expr->args[0]);
    return load(e, expr->ref.symbol, expr->args[0], &element);
}

/* ---- stores ---- */

/* As if it had been stored and loaded again. */
static void store_own(gf_ptx_emit *e, const gf_symbol *array, gf_pv value) {
    gf_ptx *p = &e->p;
    gf_pv own = known_array(e, array)->own;
    gf_type type = gf_type_loaded(array->type);
    size_t bits = 8 * gf_type_bytes(array->type);
    if (array->type == GF_TYPE_F16) {
        value = gf_ptx_widen(p, array->type, gf_ptx_narrow(p, array->type, value));
    } else if (gf_type_is_float(type)) {
        value = gf_ptx_canonical(p, value);
    } else if (type != GF_TYPE_BOOL && bits < 32) {
        gf_pv away = gf_ptx_constant(GF_TYPE_U32, 32 - bits);
        value = gf_ptx_op(p, GF_OP_SHL, type, GF_TYPE_U32, value, away, (gf_pv){0});
        value = gf_ptx_op(p, GF_OP_SHR, type, GF_TYPE_U32, value, away, (gf_pv){0});
    }
    gf_ptx_move(p, own, value);
}

/* The bits of what is about to be stored, as u32 or u64. */
static gf_pv stored_bits(gf_ptx_emit *e, gf_type stored, uint32_t raw) {
    gf_ptx *p = &e->p;
    size_t bytes = gf_type_bytes(stored);
    gf_pv bits = gf_ptx_new_value(p, bytes == 8 ? GF_TYPE_U64 : GF_TYPE_U32);
    const gf_ptx_operand to = gf_ptx_spell(bits), from = gf_ptx_name(gf_ptx_stored_class(stored), raw);
    if (bytes >= 4) {
        gf_ptx_line(p, "mov.b%zu %s, %s", 8 * bytes, to.text, from.text);
    } else if (stored == GF_TYPE_F16) {
        gf_ptx_line(p, "cvt.u32.u16 %s, %s", to.text, from.text);
    } else {
        gf_ptx_line(p, "and.b32 %s, %s, %u", to.text, from.text, (1U << (8 * bytes)) - 1);
    }
    return bits;
}

/* Whether the store changes the element (outside: no), which is then the only case in which it need be done. */
static gf_pv store_changes(gf_ptx_emit *e, const gf_symbol *array, const gf_ptx_element *element, uint32_t raw) {
    gf_ptx *p = &e->p;
    size_t bytes = gf_type_bytes(array->type);
    gf_pv bits = stored_bits(e, array->type, raw), old = gf_ptx_new_value(p, bits.type);
    if (element->has_inside) {
        gf_ptx_move(p, old, bits);
    }
    gf_ptx_line(p, "%sld%s%s.u%zu %s, [%s]", guard_of(element).text, bytes >= 4 ? ".relaxed.gpu" : "",
                gf_ptx_space_name(known_array(e, array)), 8 * bytes, gf_ptx_spell(old).text, element->address);
    gf_pv differs = gf_ptx_register(p, operate(e, GF_OP_NE, bits.type, old, bits));
    gf_ptx_note_change(e, differs);
    return differs;
}

/* `is_own`: no other invocation stores there. Else stores of one value may meet, which plain ones must not. */
static void store(gf_ptx_emit *e, const gf_symbol *array, const gf_ptx_element *element, bool is_own, gf_pv value) {
    gf_ptx *p = &e->p;
    const gf_ptx_array *known = known_array(e, array);
    if (known->space == GF_PTX_OWN) {
        store_own(e, array, value);
        return;
    }
    if (element->has_inside && is_false(element->inside)) {
        return;
    }
    /* Nobody sees the bits of a NaN in an array of one invocation: they become the one NaN where they leave it. */
    bool is_alone = known->space == GF_PTX_LOCAL || known->space == GF_PTX_THREAD;
    bool keeps = is_alone && (array->type == GF_TYPE_F32 || array->type == GF_TYPE_F64);
    uint32_t raw = keeps ? gf_ptx_register(p, value).number : gf_ptx_narrow(p, array->type, value);
    gf_ptx_element to = *element;
    if (known->is_tracked) {
        to.inside = store_changes(e, array, element, raw);
        to.has_inside = true;
    }
    bool is_strong = known->space == GF_PTX_GLOBAL && !is_own && gf_type_bytes(array->type) >= 4;
    gf_ptx_line(p, "%sst%s%s.%s [%s], %s", guard_of(&to).text, is_strong ? ".relaxed.gpu" : "",
                gf_ptx_space_name(known), gf_ptx_stored_suffix(array->type), to.address,
                gf_ptx_name(gf_ptx_stored_class(array->type), raw).text);
}

void gf_ptx_emit_store(gf_ptx_emit *e, const gf_stmt *stmt) {
    const gf_symbol *array = stmt->target.symbol;
    gf_span span = stmt->target.span.source != NULL ? stmt->target.span : stmt->span;
    gf_ptx_element element = gf_ptx_emit_place(e, array, stmt->index);
    bool is_own = gf_ptx_is_own(e, stmt->index);
    if (stmt->op == GF_OP_NONE) {
        gf_pv value = gf_ptx_peek_expr(e, stmt->value);
        gf_ptx_check_element(e, &element, span, array, stmt->index);
        store(e, array, &element, is_own, value);
    } else {
        gf_ptx_check_element(e, &element, span, array, stmt->index);
        gf_pv old = load(e, array, NULL, &element);
        gf_pv operand = gf_ptx_peek_expr(e, stmt->value);
        gf_type type = gf_type_loaded(array->type);
        store(e, array, &element, is_own,
              gf_ptx_emit_operation(e, stmt->op, type, stmt->value->type, old, operand, (gf_pv){0}, stmt->span));
    }
    if (e->pack != NULL) {
        gf_ptx_pack_wrote(e, array);
    }
}

/* ---- copy_async: done where it stands, which is any time up to the wait ---- */

#define FAR ((uint64_t)1 << 62) /* beyond all arrays */

static gf_pv is_negative(gf_ptx_emit *e, gf_pv v) {
    v.type = GF_TYPE_I64;
    return operate(e, GF_OP_LT, GF_TYPE_I64, v, gf_ptx_constant(GF_TYPE_I64, 0));
}

/* In checked code the first element outside of either array is the fault. */
static void record_copy(gf_ptx_emit *e, const gf_stmt *stmt, const gf_ref *array, const gf_expr *at, gf_pv index,
                        gf_pv count) {
    gf_pv length = gf_ptx_array_count(e, array->symbol);
    gf_pv some = operate(e, GF_OP_NE, GF_TYPE_U64, count, word(0));
    gf_pv starts = operate(e, GF_OP_GE, GF_TYPE_U64, index, length);
    gf_pv room = operate(e, GF_OP_SUB, GF_TYPE_U64, length, index);
    gf_pv beyond = operate(e, GF_OP_GT, GF_TYPE_U64, count, room);
    gf_pv bad = operate(e, GF_OP_AND, GF_TYPE_BOOL, some, operate(e, GF_OP_OR, GF_TYPE_BOOL, starts, beyond));
    gf_ptx_site place = {
        .array = array->symbol, .type = at->type, .span = array->span.source != NULL ? array->span : stmt->span};
    gf_ptx_record(e, bad, GF_PTX_BOUNDS, place, gf_ptx_choose(e, starts, index, length), length);
}

static void copy_one(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv to, gf_pv from) {
    const gf_symbol *source = stmt->second.symbol, *target = stmt->target.symbol;
    gf_ptx_element read = locate(e, source, from, is_inside(e, from, gf_ptx_array_count(e, source)));
    gf_pv value = load(e, source, NULL, &read);
    gf_ptx_element written = locate(e, target, to, gf_ptx_constant(GF_TYPE_BOOL, 1));
    store(e, target, &written, false, value);
}

void gf_ptx_emit_copy(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx *p = &e->p;
    gf_pv to = gf_ptx_extend(p, gf_ptx_emit_expr(e, stmt->index));
    gf_pv from = gf_ptx_extend(p, gf_ptx_emit_expr(e, stmt->from));
    gf_pv count = gf_ptx_extend(p, gf_ptx_emit_expr(e, stmt->to));
    to.type = from.type = count.type = GF_TYPE_U64;
    if (gf_type_is_signed(stmt->to->type)) {
        count = gf_ptx_choose(e, is_negative(e, count), word(0), count);
    }
    if (e->options.checked) {
        record_copy(e, stmt, &stmt->second, stmt->from, from, count);
        record_copy(e, stmt, &stmt->target, stmt->index, to, count);
    }
    /* Only the k for which to + k is inside: no more than there are elements. */
    gf_pv length = gf_ptx_array_count(e, stmt->target.symbol);
    gf_pv first = word(0), last = operate(e, GF_OP_SUB, GF_TYPE_U64, length, to);
    gf_pv past = operate(e, GF_OP_GE, GF_TYPE_U64, to, length);
    if (gf_type_is_signed(stmt->index->type)) {
        gf_pv negative = is_negative(e, to);
        first = gf_ptx_choose(e, negative, operate(e, GF_OP_SUB, GF_TYPE_U64, word(0), to), word(0));
        past = operate(e, GF_OP_AND, GF_TYPE_BOOL, past, negate(e, negative));
    }
    last = operate(e, GF_OP_MIN, GF_TYPE_U64, gf_ptx_choose(e, past, word(0), last), count);
    if (!gf_type_is_signed(stmt->from->type)) {
        from = operate(e, GF_OP_MIN, GF_TYPE_U64, from, word(FAR)); /* from + k does not go around */
    }
    uint32_t head = gf_ptx_label(p), after = gf_ptx_label(p);
    gf_pv k = gf_ptx_new_value(p, GF_TYPE_U64);
    gf_ptx_move(p, k, first);
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, GF_TYPE_U64, k, last), false, after);
    gf_ptx_place(p, head);
    gf_pv written = operate(e, GF_OP_ADD, GF_TYPE_U64, to, k);
    copy_one(e, stmt, written, operate(e, GF_OP_ADD, GF_TYPE_U64, from, k));
    gf_ptx_move(p, k, operate(e, GF_OP_ADD, GF_TYPE_U64, k, word(1)));
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, GF_TYPE_U64, k, last), true, head);
    gf_ptx_place(p, after);
}
