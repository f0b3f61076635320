/* Elements side by side. Windows of 16 bytes that a pack needs whole are loaded and stored at once; what is left over,
 * as the neighbours of a stencil, one by one. */
#include "emit/ptx/pack.h"
#include <stdio.h>

#define MOST_STRIPS 10 /* of a part: registers are few */
#define WINDOW 16      /* bytes */

static gf_pv not_of(gf_ptx_emit *e, gf_pv a) {
    return gf_ptx_op(&e->p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_BOOL, a, (gf_pv){0}, (gf_pv){0});
}

static bool is_true(gf_pv v) {
    return v.is_constant && v.bits != 0;
}

static const gf_ptx_array *array_of(gf_ptx_emit *e, const gf_ptx_strip *strip) {
    return gf_ptx_name_of(e, strip->array)->array;
}

static unsigned size_of(const gf_ptx_strip *strip) {
    return (unsigned)gf_type_bytes(strip->array->type);
}

/* ---- masks ---- */

/* What all invocations of the pack need. */
static uint32_t spread(const gf_ptx_pack *pack, uint32_t mask) {
    uint32_t all = 0;
    for (unsigned k = 0; k < pack->size; k++) {
        all |= mask << k;
    }
    return all;
}

static uint32_t touched(const gf_ptx_pack *pack, const gf_ptx_strip *strip) {
    return spread(pack, strip->loaded | strip->stored);
}

static unsigned lowest(uint32_t mask) {
    unsigned bit = 0;
    while ((mask >> bit & 1) == 0) {
        bit++;
    }
    return bit;
}

static unsigned highest(uint32_t mask) {
    unsigned bit = 31;
    while ((mask >> bit & 1) == 0) {
        bit--;
    }
    return bit;
}

static uint64_t constant_of(const gf_ptx_strip *strip, unsigned bit) {
    return strip->sum.constant + bit - GF_PTX_STRIP_MIDDLE;
}

/* Elements of a window. */
static unsigned window_of(const gf_ptx_pack *pack, const gf_ptx_strip *strip) {
    unsigned most = WINDOW / size_of(strip);
    return most < pack->size ? most : pack->size;
}

static bool is_window(const gf_ptx_pack *pack, const gf_ptx_strip *strip, uint32_t mask, unsigned bit) {
    unsigned count = window_of(pack, strip);
    uint32_t whole = ((UINT32_C(1) << count) - 1) << bit;
    return (mask & whole) == whole && ((constant_of(strip, bit) - pack->anchor_constant) & (count - 1)) == 0;
}

static bool has_window(const gf_ptx_pack *pack, const gf_ptx_strip *strip) {
    for (unsigned bit = 0; bit < GF_PTX_STRIP_SPAN; bit++) {
        if (is_window(pack, strip, spread(pack, strip->loaded), bit) ||
            is_window(pack, strip, spread(pack, strip->stored), bit)) {
            return true;
        }
    }
    return false;
}

/* ---- what is in a strip ---- */

static bool is_dirty(const gf_ptx_pack *pack, const gf_symbol *array) {
    for (size_t i = 0; i < pack->dirty.count; i++) {
        if (pack->dirty.items[i] == array) {
            return true;
        }
    }
    return false;
}

static bool find_bit(const gf_ptx_strip *strip, const gf_ptx_sum *sum, unsigned *bit) {
    uint64_t mask = gf_type_bytes(sum->type) == 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t at = (sum->constant - strip->sum.constant + GF_PTX_STRIP_MIDDLE) & mask;
    *bit = (unsigned)at;
    return at < (size_t)2 * GF_PTX_STRIP_MIDDLE && gf_ptx_same_sum(&strip->sum, sum);
}

static gf_ptx_strip *find_strip(const gf_ptx_part *part, const gf_symbol *array, bool is_atomic, const gf_ptx_sum *sum,
                                unsigned *bit) {
    for (size_t i = 0; i < part->strips.count; i++) {
        gf_ptx_strip *strip = part->strips.items[i];
        if (strip->array == array && strip->is_atomic == is_atomic && find_bit(strip, sum, bit)) {
            return strip;
        }
    }
    return NULL;
}

static gf_ptx_strip *note_strip(gf_ptx_pack *pack, const gf_symbol *array, bool is_atomic, const gf_ptx_sum *sum,
                                unsigned *bit) {
    gf_ptx_part *part = pack->part;
    gf_ptx_strip *strip = find_strip(part, array, is_atomic, sum, bit);
    if (strip == NULL && part->has_strips && part->strips.count < MOST_STRIPS) {
        strip = gf_new(pack->e->arena, gf_ptx_strip);
        *strip = (gf_ptx_strip){.array = array, .is_atomic = is_atomic, .sum = *sum};
        *bit = GF_PTX_STRIP_MIDDLE;
        gf_push(pack->e->arena, &part->strips, strip);
    }
    return strip;
}

/* In one row of the space the element moves on as gid.x does. */
static bool sum_of(gf_ptx_emit *e, const gf_symbol *array, const gf_expr *index, gf_ptx_sum *sum) {
    const gf_ptx_array *known = gf_ptx_name_of(e, array)->array;
    if (known == NULL || (known->space != GF_PTX_GLOBAL && known->space != GF_PTX_NEAR)) {
        return false;
    }
    const gf_expr *closed = gf_ptx_close(e, index);
    if (closed == NULL) {
        return false;
    }
    *sum = gf_ptx_sum_of(closed);
    return sum->type != GF_TYPE_NONE && sum->x == 1;
}

/* Unless it is done on a condition, or the code around has done it. */
static void note_load(gf_ptx_pack *pack, const gf_symbol *array, bool is_atomic, const gf_ptx_sum *sum) {
    unsigned bit = 0;
    if (pack->e->known != pack->part->known) {
        return;
    }
    for (const gf_ptx_part *part = pack->part->outer; part != NULL; part = part->outer) {
        const gf_ptx_strip *strip = find_strip(part, array, is_atomic, sum, &bit);
        if (strip != NULL && (strip->loaded >> bit & 1) != 0) {
            return;
        }
    }
    gf_ptx_strip *strip = note_strip(pack, array, is_atomic, sum, &bit);
    if (strip != NULL) {
        strip->loaded |= UINT32_C(1) << bit;
    }
}

bool gf_ptx_pack_load(gf_ptx_emit *e, const gf_expr *expr, gf_pv *value) {
    gf_ptx_pack *pack = e->pack;
    const gf_symbol *array = expr->ref.symbol;
    bool is_atomic = expr->kind == GF_EXPR_ATOMIC;
    gf_ptx_sum sum;
    unsigned bit = 0;
    if (is_dirty(pack, array) || !sum_of(e, array, expr->args[0], &sum)) {
        return false;
    }
    if (pack->is_recording) {
        note_load(pack, array, is_atomic, &sum);
        return false;
    }
    unsigned k = 0;
    while (pack->names[k] != e->names) {
        k++;
    }
    for (const gf_ptx_part *part = pack->part; part != NULL; part = part->outer) {
        const gf_ptx_strip *strip = find_strip(part, array, is_atomic, &sum, &bit);
        if (strip != NULL && (spread(pack, strip->loaded) >> (bit + k) & 1) != 0) {
            *value = strip->elements[bit + k];
            return true;
        }
    }
    return false;
}

void gf_ptx_pack_wrote(gf_ptx_emit *e, const gf_symbol *array) {
    gf_ptx_pack *pack = e->pack;
    const gf_ptx_array *known = gf_ptx_name_of(e, array)->array;
    pack->has_effects = pack->has_effects || known == NULL || known->space != GF_PTX_OWN;
    if (!is_dirty(pack, array)) {
        gf_push(e->arena, &pack->dirty, array);
    }
}

gf_ptx_strip *gf_ptx_strip_of_store(gf_ptx_pack *pack, const gf_symbol *array, const gf_expr *index, unsigned *bit) {
    gf_ptx_emit *e = pack->e;
    const gf_ptx_array *known = gf_ptx_name_of(e, array)->array;
    gf_ptx_sum sum;
    if (known == NULL || known->is_tracked || !sum_of(e, array, index, &sum)) {
        return NULL;
    }
    gf_ptx_strip *strip = pack->is_recording ? note_strip(pack, array, false, &sum, bit)
                                             : find_strip(pack->part, array, false, &sum, bit);
    if (strip != NULL && pack->is_recording) {
        strip->stored |= UINT32_C(1) << *bit;
    }
    return strip;
}

/* ---- where elements lie ---- */

static gf_pv low_half(gf_ptx_emit *e, gf_pv v) {
    return gf_ptx_cast(&e->p, GF_TYPE_U32, v);
}

/* Elements that an index of this type can reach, less `span`: u32 where that is enough. The array has more than that.
 */
static gf_pv limit_of(gf_ptx_emit *e, const gf_ptx_strip *strip, unsigned span) {
    gf_pv count = gf_ptx_array_count(e, strip->array);
    uint64_t reach = strip->sum.type == GF_TYPE_I32 ? UINT64_C(1) << 31 : UINT64_C(1) << 32;
    if (gf_type_bytes(strip->sum.type) == 8) {
        return gf_ptx_do(e, GF_OP_SUB, count, gf_ptx_u64(span));
    }
    if (e->options.wide) {
        return gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_u64(reach)), gf_ptx_u64(span));
    }
    count = low_half(e, count);
    if (reach <= UINT32_MAX) {
        count = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_u32(reach));
    }
    return gf_ptx_do(e, GF_OP_SUB, count, gf_ptx_u32(span));
}

static gf_pv is_below(gf_ptx_emit *e, gf_pv first, gf_pv limit) {
    first.type = gf_type_bytes(first.type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    return gf_ptx_do(e, GF_OP_LT, limit.type == GF_TYPE_U64 ? gf_ptx_cast(&e->p, GF_TYPE_U64, first) : first, limit);
}

/* The bool whether all elements that the pack touches are inside; sets the address. */
static gf_pv locate(gf_ptx_pack *pack, gf_ptx_strip *strip) {
    gf_ptx_emit *e = pack->e;
    gf_ptx *p = &e->p;
    uint32_t mask = touched(pack, strip);
    unsigned low = lowest(mask), span = highest(mask) - low;
    gf_pv first = gf_ptx_emit_sum(e, &strip->sum, constant_of(strip, low));
    gf_pv inside = pack->is_sure ? gf_ptx_constant(GF_TYPE_BOOL, 1) : is_below(e, first, limit_of(e, strip, span));
    bool is_wide = gf_type_bytes(first.type) == 8;
    first = gf_ptx_register(p, first);
    first.type = is_wide ? GF_TYPE_U64 : GF_TYPE_U32;
    strip->address = gf_ptx_new_value(p, GF_TYPE_U64);
    gf_ptx_line(p, "%s %s, %s, %u, %s", is_wide ? "mad.lo.u64" : "mad.wide.u32", gf_ptx_spell(strip->address).text,
                gf_ptx_spell(first).text, size_of(strip), gf_ptx_spell(array_of(e, strip)->data).text);
    if (has_window(pack, strip) && !gf_ptx_is_even(&strip->sum)) {
        /* What was found for the first rows of the space need not be so for this one. */
        unsigned count = window_of(pack, strip), bytes = count * size_of(strip);
        uint64_t off = (pack->anchor_constant - constant_of(strip, low)) & (count - 1);
        gf_pv at = gf_ptx_do(e, GF_OP_ADD, low_half(e, strip->address), gf_ptx_u32(off * size_of(strip)));
        at = gf_ptx_do(e, GF_OP_AND, at, gf_ptx_u32(bytes - 1));
        inside = gf_ptx_both(e, inside, gf_ptx_do(e, GF_OP_EQ, at, gf_ptx_u32(0)));
    }
    return inside;
}

/* ---- loads ---- */

static void load_some(gf_ptx_pack *pack, gf_ptx_strip *strip, gf_pv guard, unsigned bit, unsigned count) {
    gf_ptx_emit *e = pack->e;
    gf_ptx *p = &e->p;
    const gf_ptx_array *known = array_of(e, strip);
    gf_type bits = size_of(strip) == 8 ? GF_TYPE_U64 : GF_TYPE_U32,
            stored = strip->is_atomic ? bits : strip->array->type;
    gf_ptx_class class = gf_ptx_stored_class(stored);
    uint32_t raw[GF_PTX_PACK] = {0};
    char list[4 * sizeof(gf_ptx_operand)] = "", when[32] = "";
    size_t used = 0;
    for (unsigned k = 0; k < count; k++) {
        raw[k] = gf_ptx_new(p, class);
        if (!is_true(guard)) {
            /* Else what was there before would have to be kept. */
            gf_ptx_clear(p, class, raw[k]);
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "",
                                 gf_ptx_name(class, raw[k]).text);
    }
    if (!is_true(guard)) {
        (void)snprintf(when, sizeof when, "@%s ", gf_ptx_spell(guard).text);
    }
    const char *how = gf_ptx_is_constant(known)               ? ".global.nc"
                      : known->is_written && strip->is_atomic ? ".relaxed.gpu.global"
                                                              : gf_ptx_space_name(known);
    gf_ptx_line(p, "%sld%s%s.%s %s%s%s, [%s+%u]", when, how,
                count == 4   ? ".v4"
                : count == 2 ? ".v2"
                             : "",
                gf_ptx_stored_suffix(stored), count > 1 ? "{" : "", list, count > 1 ? "}" : "",
                gf_ptx_spell(strip->address).text, (bit - lowest(touched(pack, strip))) * size_of(strip));
    for (unsigned k = 0; k < count; k++) {
        gf_pv value = gf_ptx_widen(p, stored, raw[k]);
        strip->elements[bit + k] = strip->is_atomic ? gf_ptx_bitcast(p, strip->array->type, value) : value;
    }
}

static uint32_t buffer_of(const gf_ptx_pack *pack, const gf_symbol *array) {
    for (size_t i = 0; i < pack->segment->buffer_count; i++) {
        if (pack->segment->buffers[i].symbol == array) {
            return pack->segment->buffers[i].buffer;
        }
    }
    return UINT32_MAX;
}

/* The strip of another pack that loads the element too, and its bit there; NULL: none does. */
static const gf_ptx_strip *find_given(const gf_ptx_pack *given, const gf_ptx_pack *pack, const gf_ptx_strip *strip,
                                      unsigned bit, unsigned *given_bit) {
    for (size_t i = 0; given != NULL && i < given->parts.items[0]->strips.count; i++) {
        const gf_ptx_strip *other = given->parts.items[0]->strips.items[i];
        gf_ptx_sum sum = strip->sum;
        sum.constant = constant_of(strip, bit);
        if (other->is_atomic == strip->is_atomic && find_bit(other, &sum, given_bit) &&
            buffer_of(given, other->array) == buffer_of(pack, strip->array) &&
            (spread(given, other->loaded) >> *given_bit & 1) != 0) {
            return other;
        }
    }
    return NULL;
}

static void load_strip(gf_ptx_pack *pack, gf_ptx_strip *strip, gf_pv guard) {
    uint32_t mask = spread(pack, strip->loaded);
    for (unsigned bit = 0; bit < GF_PTX_STRIP_SPAN && pack->given != NULL; bit++) {
        unsigned at = 0;
        const gf_ptx_strip *given = (mask >> bit & 1) != 0 ? find_given(pack->given, pack, strip, bit, &at) : NULL;
        if (given != NULL) {
            strip->elements[bit] = given->elements[at];
            mask &= ~(UINT32_C(1) << bit);
        }
    }
    for (unsigned bit = 0; bit < GF_PTX_STRIP_SPAN; bit++) {
        if (is_window(pack, strip, mask, bit)) {
            load_some(pack, strip, guard, bit, window_of(pack, strip));
            bit += window_of(pack, strip) - 1;
        } else if ((mask >> bit & 1) != 0) {
            load_some(pack, strip, guard, bit, 1);
        }
    }
}

void gf_ptx_strips_begin(gf_ptx_pack *pack, gf_pv some) {
    gf_ptx_emit *e = pack->e;
    const gf_ptx_part *part = pack->part;
    if (pack->is_recording || part->strips.count == 0) {
        return;
    }
    gf_pv inside = gf_ptx_constant(GF_TYPE_BOOL, 1), x = e->gid[0];
    e->gid[0] = pack->x[0];
    e->gid[0].type = GF_TYPE_I32; /* it may lie before the strip */
    for (size_t i = 0; i < part->strips.count; i++) {
        inside = gf_ptx_both(e, inside, locate(pack, part->strips.items[i]));
    }
    e->gid[0] = x;
    gf_ptx_pack_refuse(pack, gf_ptx_both(e, some, not_of(e, inside)));
    gf_pv guard = gf_ptx_register(&e->p, some);
    if (pack->is_sure) {
        guard = gf_ptx_constant(GF_TYPE_BOOL, 1);
    } else if (pack->is_flat) {
        gf_ptx_jump_if(&e->p, guard, false, pack->on_end);
        guard = gf_ptx_constant(GF_TYPE_BOOL, 1);
    }
    for (size_t i = 0; i < part->strips.count; i++) {
        load_strip(pack, part->strips.items[i], guard);
    }
}

/* ---- stores ---- */

static void store_some(gf_ptx_pack *pack, const gf_ptx_strip *strip, bool is_own, const char *guard, unsigned bit,
                       const uint32_t *raw, unsigned count) {
    gf_ptx *p = &pack->e->p;
    gf_type stored = strip->array->type;
    char list[4 * sizeof(gf_ptx_operand)] = "";
    size_t used = 0;
    for (unsigned k = 0; k < count; k++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "",
                                 gf_ptx_name(gf_ptx_stored_class(stored), raw[k]).text);
    }
    const gf_ptx_array *known = array_of(pack->e, strip);
    bool is_strong = !is_own && size_of(strip) >= 4 && known->space == GF_PTX_GLOBAL;
    gf_ptx_line(p, "%sst%s%s%s.%s [%s+%u], %s%s%s", guard, is_strong ? ".relaxed.gpu" : "", gf_ptx_space_name(known),
                count == 4   ? ".v4"
                : count == 2 ? ".v2"
                             : "",
                gf_ptx_stored_suffix(stored), gf_ptx_spell(strip->address).text,
                (bit - lowest(touched(pack, strip))) * size_of(strip), count > 1 ? "{" : "", list,
                count > 1 ? "};" : "");
}

void gf_ptx_strips_store(gf_ptx_pack *pack, const gf_ptx_strip *strip, unsigned bit, bool is_own, const gf_pv *values) {
    gf_ptx_emit *e = pack->e;
    gf_ptx *p = &e->p;
    uint32_t raw[GF_PTX_PACK] = {0};
    if (pack->is_recording) {
        return;
    }
    for (unsigned k = 0; k < pack->count; k++) {
        raw[k] = gf_ptx_narrow(p, strip->array->type, values[k]);
    }
    uint32_t one_by_one = gf_ptx_label(p), done = gf_ptx_label(p);
    uint32_t mask = ((UINT32_C(1) << pack->size) - 1) << bit;
    gf_pv whole = pack->whole;
    for (unsigned k = 0; k < pack->count; k++) {
        whole = gf_ptx_both(e, whole, gf_ptx_both(e, pack->part->holds[k], pack->alive[k]));
    }
    gf_ptx_jump_if(p, whole, false, one_by_one);
    for (unsigned k = 0; k < pack->size; k++) {
        unsigned count = is_window(pack, strip, mask, bit + k) ? window_of(pack, strip) : 1;
        store_some(pack, strip, is_own, "", bit + k, &raw[k], count);
        k += count - 1;
    }
    if (is_true(whole)) {
        return;
    }
    gf_ptx_jump(p, done);
    gf_ptx_place(p, one_by_one);
    for (unsigned k = 0; k < pack->size; k++) {
        char guard[40];
        gf_pv meant = gf_ptx_register(p, gf_ptx_pack_mask(pack, k));
        (void)snprintf(guard, sizeof guard, "@%s ", gf_ptx_spell(meant).text);
        store_some(pack, strip, is_own, guard, bit + k, &raw[k], 1);
    }
    gf_ptx_place(p, done);
}

/* ---- what is gained ---- */

bool gf_ptx_strips_choose(gf_ptx_pack *pack) {
    const gf_ptx_strip *loaded = NULL, *stored = NULL;
    unsigned least = 8;
    pack->is_flat = pack->parts.count == 1 && !pack->refuses;
    for (size_t i = 0; i < pack->parts.count; i++) {
        for (size_t k = 0; k < pack->parts.items[i]->strips.count; k++) {
            const gf_ptx_strip *strip = pack->parts.items[i]->strips.items[k];
            loaded = loaded == NULL && strip->loaded != 0 ? strip : loaded;
            stored = stored == NULL && strip->stored != 0 ? strip : stored;
            least = size_of(strip) < least ? size_of(strip) : least;
        }
    }
    pack->anchor = stored != NULL ? stored : loaded;
    if (pack->anchor == NULL) {
        return false;
    }
    pack->size = least == 8 ? 2 : 4;
    pack->anchor_constant = constant_of(pack->anchor, lowest(stored != NULL ? stored->stored : loaded->loaded));
    return true;
}

/* The array of which an element is what the body leaves as its value; NULL: it makes one of its own. */
static const gf_symbol *array_of_value(const gf_ptx_pack *pack) {
    const gf_block *body = pack->e->tree->kernel.body;
    const gf_expr *value = NULL;
    for (size_t i = body->count; i-- > 0;) {
        const gf_stmt *stmt = body->items[i];
        if (stmt->kind == GF_STMT_STORE && buffer_of(pack, stmt->target.symbol) == pack->own_buffer) {
            value = stmt->value;
        } else if (stmt->kind == GF_STMT_LET && value != NULL && value->kind == GF_EXPR_NAME &&
                   value->ref.symbol == stmt->target.symbol) {
            value = stmt->value;
        }
    }
    return value != NULL && value->kind == GF_EXPR_LOAD ? value->ref.symbol : NULL;
}

unsigned gf_ptx_strips_kept(const gf_ptx_pack *source, const gf_ptx_pack *user) {
    const gf_symbol *handed = array_of_value(source);
    unsigned kept = 0, at = 0;
    for (size_t i = 0; i < user->parts.items[0]->strips.count; i++) {
        const gf_ptx_strip *strip = user->parts.items[0]->strips.items[i];
        uint32_t mask = spread(user, strip->loaded);
        for (unsigned bit = 0; bit < GF_PTX_STRIP_SPAN; bit++) {
            const gf_ptx_strip *other = (mask >> bit & 1) != 0 ? find_given(source, user, strip, bit, &at) : NULL;
            kept += other == NULL || other->array == handed ? 0 : size_of(strip) == 8 ? 2 : 1;
        }
    }
    return kept;
}

unsigned gf_ptx_strips_weight(const gf_ptx_pack *pack) {
    unsigned weight = 0;
    for (size_t i = 0; i < pack->parts.count; i++) {
        for (size_t k = 0; k < pack->parts.items[i]->strips.count; k++) {
            const gf_ptx_strip *strip = pack->parts.items[i]->strips.items[k];
            weight += 2;
            for (uint32_t mask = spread(pack, strip->loaded); mask != 0; mask &= mask - 1) {
                weight += size_of(strip) == 8 ? 2 : 1;
            }
        }
    }
    return weight;
}

/* Of an element of each window, in elements: what of it is left over in windows. */
static gf_pv left_over(gf_ptx_pack *pack, const gf_ptx_strip *strip, uint64_t constant) {
    gf_ptx_emit *e = pack->e;
    gf_pv at = gf_ptx_emit_sum(e, &strip->sum, constant);
    at = gf_type_bytes(at.type) == 8 ? low_half(e, at) : at;
    at.type = GF_TYPE_U32;
    if (pack->walk->by_stages) {
        return at; /* buffers are aligned (abi.h); their address may be a cell, which would be waited for */
    }
    gf_pv base = low_half(e, array_of(e, strip)->data);
    unsigned shift = lowest(size_of(strip));
    return gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_SHR, base, gf_ptx_u32(shift)), at);
}

static bool knows_y(const gf_ptx_sum *sum) {
    bool knows = false;
    for (size_t i = 0; i < sum->count; i++) {
        knows = knows || gf_ptx_knows_axis(sum->terms[i].atom, GF_AXIS_Y);
    }
    return knows;
}

/* The bool whether windows begin where they should, and arrays are long enough for one pack. */
gf_pv gf_ptx_strips_aligned(gf_ptx_pack *pack, gf_pv shift) {
    gf_ptx_emit *e = pack->e;
    gf_pv x = e->gid[0], y = e->gid[1], long_enough = gf_ptx_constant(GF_TYPE_BOOL, 1), rest = gf_ptx_u32(0);
    for (size_t i = 0; i < pack->parts.count; i++) {
        for (size_t k = 0; k < pack->parts.items[i]->strips.count; k++) {
            const gf_ptx_strip *strip = pack->parts.items[i]->strips.items[k];
            uint32_t mask = touched(pack, strip);
            gf_pv span = gf_ptx_u64(highest(mask) - lowest(mask));
            long_enough =
                gf_ptx_both(e, long_enough, gf_ptx_do(e, GF_OP_GT, gf_ptx_array_count(e, strip->array), span));
            unsigned lines = !has_window(pack, strip) ? 0 : knows_y(&strip->sum) ? 2 : 1;
            for (unsigned line = 0; line < lines; line++) {
                e->gid[0] = gf_ptx_u32(0);
                e->gid[1] = gf_ptx_u32(line);
                gf_pv left = gf_ptx_do(e, GF_OP_SUB, left_over(pack, strip, pack->anchor_constant), shift);
                left = gf_ptx_do(e, GF_OP_AND, left, gf_ptx_u32(window_of(pack, strip) - 1));
                rest = gf_ptx_do(e, GF_OP_OR, rest, left);
            }
        }
    }
    e->gid[0] = x;
    e->gid[1] = y;
    return gf_ptx_both(e, long_enough, gf_ptx_do(e, GF_OP_EQ, rest, gf_ptx_u32(0)));
}

gf_pv gf_ptx_strips_shift(gf_ptx_pack *pack, gf_pv *are_aligned) {
    gf_ptx_emit *e = pack->e;
    gf_pv x = e->gid[0], y = e->gid[1];
    e->gid[0] = e->gid[1] = gf_ptx_u32(0);
    gf_pv shift = left_over(pack, pack->anchor, pack->anchor_constant);
    shift = gf_ptx_do(e, GF_OP_AND, shift, gf_ptx_u32(pack->size - 1));
    e->gid[0] = x;
    e->gid[1] = y;
    *are_aligned = gf_ptx_strips_aligned(pack, shift);
    return shift;
}

gf_pv gf_ptx_strips_inside(gf_ptx_pack *pack, gf_pv count) {
    gf_ptx_emit *e = pack->e;
    gf_pv inside = gf_ptx_constant(GF_TYPE_BOOL, 1);
    for (size_t k = 0; k < pack->parts.items[0]->strips.count; k++) {
        const gf_ptx_strip *strip = pack->parts.items[0]->strips.items[k];
        uint32_t mask = touched(pack, strip);
        unsigned low = lowest(mask), span = highest(mask) - low;
        gf_pv first = gf_ptx_emit_sum(e, &strip->sum, constant_of(strip, low));
        gf_pv limit = limit_of(e, strip, 0), more = gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u32(span));
        more = gf_ptx_do(e, GF_OP_SUB, more, gf_ptx_u32(pack->size));
        more = limit.type == GF_TYPE_U64 ? gf_ptx_cast(&e->p, GF_TYPE_U64, more) : more;
        inside = gf_ptx_both(e, inside, gf_ptx_do(e, GF_OP_GT, limit, more));
        inside = gf_ptx_both(e, inside, is_below(e, first, gf_ptx_do(e, GF_OP_SUB, limit, more)));
    }
    return inside;
}
