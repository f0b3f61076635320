/* Arrays that the turns of a row go along, as `val` and `col` of a sparse matrix. Where all of a row is inside of them,
 * which is looked at once, an element is a load at a constant distance from the first one, that the turn being there
 * decides on alone. Looked up turn by turn, each would compare its index with two lengths and make two addresses: half
 * the instructions of a sweep whose rows have five elements. */
#include "emit/ptx/rows.h"
#include "ir/visit.h"
#include <inttypes.h>
#include <stdio.h>

static bool is_turn(const gf_ptx_rows *rows, const gf_expr *index) {
    return index->kind == GF_EXPR_NAME && index->ref.symbol == rows->stmt->target.symbol;
}

static gf_ptx_row_strip *strip_of(gf_ptx_rows *rows, const gf_symbol *array) {
    for (size_t i = 0; i < rows->strip_count; i++) {
        if (rows->strips[i].array == array) {
            return &rows->strips[i];
        }
    }
    return NULL;
}

typedef struct finding {
    gf_ptx_emit *e;
    gf_ptx_rows *rows;
} finding;

static bool look_for_strip(void *user, const gf_expr *expr) {
    finding *f = user;
    gf_ptx_rows *rows = f->rows;
    if (expr->kind != GF_EXPR_LOAD || !is_turn(rows, expr->args[0]) || strip_of(rows, expr->ref.symbol) != NULL) {
        return true;
    }
    const gf_ptx_array *array = gf_ptx_name_of(f->e, expr->ref.symbol)->array;
    if (rows->strip_count < GF_PTX_MOST_STRIPS && array != NULL && array->space == GF_PTX_GLOBAL &&
        !array->is_by_lane) {
        rows->strips[rows->strip_count++] = (gf_ptx_row_strip){.array = expr->ref.symbol};
    }
    return true;
}

/* Of unsigned turns alone: a row that begins below zero would not be noticed at its end. */
gf_pv gf_ptx_find_strips(gf_ptx_emit *e, gf_ptx_rows *rows, gf_pv to) {
    gf_pv inside = gf_ptx_constant(GF_TYPE_BOOL, 1);
    finding f = {.e = e, .rows = rows};
    rows->strip_count = 0;
    if (to.type != GF_TYPE_U32 && to.type != GF_TYPE_U64) {
        return inside;
    }
    gf_visit_block(&(gf_visitor){.user = &f, .expr = look_for_strip}, rows->stmt->body);
    for (size_t i = 0; i < rows->strip_count; i++) {
        gf_pv count = gf_ptx_array_count(e, rows->strips[i].array);
        bool is_short = to.type == GF_TYPE_U32 && !e->options.wide;
        gf_pv fits = is_short ? gf_ptx_do(e, GF_OP_LE, to, gf_ptx_to_u32(e, count))
                              : gf_ptx_do(e, GF_OP_LE, gf_ptx_to_u64(e, to), count);
        inside = gf_ptx_both(e, inside, fits);
    }
    return inside;
}

void gf_ptx_begin_strips(gf_ptx_emit *e, gf_pv from) {
    for (size_t i = 0; i < e->rows->strip_count; i++) {
        gf_ptx_row_strip *strip = &e->rows->strips[i];
        const gf_ptx_array *array = gf_ptx_name_of(e, strip->array)->array;
        gf_pv first = gf_ptx_register(&e->p, from), data = gf_ptx_register(&e->p, array->data);
        strip->at = gf_ptx_new_value(&e->p, GF_TYPE_U64);
        gf_ptx_line(&e->p, "%s %s, %s, %" PRIu64 ", %s", from.type == GF_TYPE_U64 ? "mad.lo.u64" : "mad.wide.u32",
                    gf_ptx_spell(strip->at).text, gf_ptx_spell(first).text, (uint64_t)gf_type_bytes(strip->array->type),
                    gf_ptx_spell(data).text);
    }
}

void gf_ptx_move_strips(gf_ptx_emit *e, unsigned turns) {
    for (size_t i = 0; i < e->rows->strip_count; i++) {
        gf_ptx_row_strip *strip = &e->rows->strips[i];
        uint64_t bytes = (uint64_t)turns * gf_type_bytes(strip->array->type);
        gf_ptx_move(&e->p, strip->at, gf_ptx_do(e, GF_OP_ADD, strip->at, gf_ptx_u64(bytes)));
    }
}

bool gf_ptx_place_in_strip(gf_ptx_emit *e, const gf_symbol *array, const gf_expr *index, gf_ptx_element *element) {
    gf_ptx_rows *rows = e->rows;
    gf_ptx_row_strip *strip = rows != NULL && rows->in_strips && is_turn(rows, index) ? strip_of(rows, array) : NULL;
    if (strip == NULL) {
        return false;
    }
    *element = (gf_ptx_element){.has_inside = rows->turn > 0, .inside = rows->is_there};
    (void)snprintf(element->address, sizeof element->address, "%s+%" PRIu64, gf_ptx_spell(strip->at).text,
                   (uint64_t)rows->turn * gf_type_bytes(array->type));
    return true;
}
