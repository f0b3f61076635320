/* Results that nobody reads soon, past the caches: a store of a part of a line first reads the line, a third or half of
 * all traffic where a segment does little but write. LLVM's vectoriser makes such stores only where it knows them to be
 * aligned, so lanes leave their results in a tile in the first cache, and the tile goes out by whole lines.
 *
 * Only for rows without loops, returns and conditions around the store: each lane stores one element, and nothing else
 * in the segment looks at the array. And only where there is much to store: what fits the caches is better left there.
 */
#include "emit/llvm/emitter.h"
#include "ir/effects.h"
#include "ir/visit.h"

#define LINE 64
#define MUCH ((uint64_t)48 << 20) /* bytes */

static bool look_for_return(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_RETURN;
    return !*found;
}

static bool look_for_trap(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_ASSERT || stmt->kind == GF_STMT_TRAP;
    return !*found;
}

/* No lane leaves early: not by a return of its own, nor by a trap in a function. */
static bool is_quiet(const gf_block *body) {
    bool found = gf_holds_loop(body);
    gf_visitor returns = {.user = &found, .stmt = look_for_return};
    gf_visitor traps = {.user = &found, .stmt = look_for_trap, .into_calls = true};
    gf_visit_block(&returns, body);
    gf_visit_block(&traps, body);
    return !found;
}

/* The statement stands where every lane comes by. */
static bool is_unconditional(const gf_block *body, const void *node) {
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        if (stmt == node ||
            ((stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) && is_unconditional(stmt->body, node))) {
            return true;
        }
    }
    return false;
}

static bool may_stream(gf_emit *e, const gf_affine_loop *loop, const gf_proven *proven, const gf_access_list *all) {
    const gf_array *array = gf_name(e, proven->array)->array;
    size_t bytes = gf_type_bytes(proven->array->type), accesses = 0;
    if (proven->coefficient != 1 || proven->inner_count > 0 || proven->call != 0 || array->is_private ||
        array->is_tracked || (bytes != 4 && bytes != 8) || !is_unconditional(loop->body, proven->node)) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        accesses += all->items[i].array == proven->array;
    }
    return accesses == 1;
}

void gf_stream_find(gf_emit *e, const gf_affine_loop *loop, gf_streams *streams) {
    streams->count = 0;
    if (e->options.checked || e->in_group || !is_quiet(loop->body)) {
        return;
    }
    gf_access_list all = {0};
    gf_effects_block(e->arena, loop->body, &all);
    for (size_t i = loop->first; i < loop->end && streams->count < GF_MOST_STREAMS; i++) {
        gf_proven *proven = &e->proven.items[i];
        if (may_stream(e, loop, proven, &all)) {
            LLVMTypeRef type = LLVMArrayType2(gf_ll_stored(&e->ll, proven->array->type), GF_TILE);
            LLVMValueRef tile = gf_alloca(e, type, "tile");
            LLVMSetAlignment(tile, LINE);
            streams->items[streams->count] = proven;
            streams->tiles[streams->count++] = tile;
        }
    }
}

LLVMValueRef gf_stream_pays(gf_emit *e, const gf_streams *streams) {
    LLVMValueRef pays = NULL;
    for (unsigned i = 0; i < streams->count; i++) {
        const gf_symbol *array = streams->items[i]->array;
        LLVMValueRef most = gf_i64(e, MUCH / gf_type_bytes(array->type));
        LLVMValueRef much = LLVMBuildICmp(e->ll.builder, LLVMIntUGE, gf_array_count(e, array), most, "");
        pays = pays == NULL ? much : LLVMBuildAnd(e->ll.builder, pays, much, "");
    }
    return pays;
}

void gf_stream_into_tiles(const gf_streams *streams, LLVMValueRef first) {
    for (unsigned i = 0; i < streams->count; i++) {
        streams->items[i]->tile = first != NULL ? streams->tiles[i] : NULL;
        streams->items[i]->tile_first = first;
    }
}

/* ---- out ---- */

typedef struct mover {
    LLVMValueRef from, to; /* pointers to the first element */
    LLVMTypeRef element, line;
    LLVMValueRef head; /* elements before the first whole line */
    uint64_t per_line;
} mover;

static LLVMValueRef at(gf_emit *e, const mover *m, LLVMValueRef base, LLVMValueRef index) {
    return LLVMBuildGEP2(e->ll.builder, m->element, base, &index, 1, "");
}

static void move_element(gf_emit *e, LLVMValueRef i, void *context) {
    const mover *m = context;
    LLVMValueRef value = LLVMBuildLoad2(e->ll.builder, m->element, at(e, m, m->from, i), "");
    LLVMBuildStore(e->ll.builder, value, at(e, m, m->to, i));
}

static void move_line(gf_emit *e, LLVMValueRef line, void *context) {
    const mover *m = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef index = LLVMBuildAdd(b, m->head, LLVMBuildMul(b, line, gf_i64(e, m->per_line), ""), "");
    LLVMValueRef value = LLVMBuildLoad2(b, m->line, at(e, m, m->from, index), "");
    LLVMSetAlignment(value, (unsigned)(LINE / m->per_line));
    LLVMValueRef store = LLVMBuildStore(b, value, at(e, m, m->to, index));
    LLVMSetAlignment(store, LINE);
    LLVMMetadataRef one = LLVMValueAsMetadata(gf_i32(e, 1));
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->ll.context, &one, 1);
    LLVMSetMetadata(store, LLVMGetMDKindIDInContext(e->ll.context, "nontemporal", 11),
                    LLVMMetadataAsValue(e->ll.context, node));
}

static void move_tile(gf_emit *e, const gf_proven *proven, LLVMValueRef tile, LLVMValueRef first, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    uint64_t bytes = gf_type_bytes(proven->array->type);
    mover m = {.from = tile, .element = gf_ll_stored(&e->ll, proven->array->type), .per_line = LINE / bytes};
    m.line = LLVMVectorType(m.element, (unsigned)m.per_line);
    m.to = gf_element_ptr(e, proven->array, LLVMBuildAdd(b, proven->base, first, ""));
    LLVMValueRef address = LLVMBuildPtrToInt(b, m.to, e->ll.i64, "");
    LLVMValueRef before = LLVMBuildAnd(b, LLVMBuildSub(b, gf_i64(e, 0), address, ""), gf_i64(e, LINE - 1), "");
    m.head = LLVMBuildUDiv(b, before, gf_i64(e, bytes), "");
    m.head = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, m.head, count, ""), m.head, count, "");
    LLVMValueRef lines = LLVMBuildUDiv(b, LLVMBuildSub(b, count, m.head, ""), gf_i64(e, m.per_line), "");
    LLVMValueRef rest = LLVMBuildAdd(b, m.head, LLVMBuildMul(b, lines, gf_i64(e, m.per_line), ""), "");
    gf_emit_range(e, gf_i64(e, 0), m.head, "head", move_element, &m);
    gf_emit_range(e, gf_i64(e, 0), lines, "line", move_line, &m);
    gf_emit_range(e, rest, count, "rest", move_element, &m);
}

void gf_stream_out(gf_emit *e, const gf_streams *streams, LLVMValueRef first, LLVMValueRef count) {
    for (unsigned i = 0; i < streams->count; i++) {
        move_tile(e, streams->items[i], streams->tiles[i], first, count);
    }
}

/* Stores past the caches are not in order with others but across a fence. */
void gf_stream_fence(gf_emit *e) {
    LLVMBuildFence(e->ll.builder, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
}
