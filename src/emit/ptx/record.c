/* What an invocation did wrong. There may be a place for it at every access, so what stands there is short: the first
 * fault of an invocation is noted in memory of its thread, and told at the end of its body. */
#include "emit/ptx/abi.h"
#include "emit/ptx/emitter.h"
#include <string.h>

/* A note, in bytes: value, count, and number of the place and event in one word. */
#define NOTE_VALUE 0
#define NOTE_COUNT 8
#define NOTE_PLACE 16
#define NOTE_BYTES 24
#define EVENT_BITS 2

static const gf_pv none = {0};

static gf_pv word(uint64_t value) {
    return gf_ptx_constant(GF_TYPE_U64, value);
}

static gf_pv operate(gf_ptx_emit *e, gf_op op, gf_type type, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, op, type, type, a, b, none);
}

typedef struct fault {
    gf_pv place, value, count; /* u64; of the place see NOTE_PLACE */
} fault;

/* What the first item is where the invocation is one of a forall that does not begin at 0; of no type elsewhere. */
static gf_pv first_item(gf_ptx_emit *e) {
    const gf_segment_param *from = e->segment != NULL ? e->segment->forall_from : NULL;
    return from != NULL && e->options.checked ? gf_ptx_extend(&e->p, e->names[from->symbol->id].value) : none;
}

/* By stages: nothing was recorded in a stretch before. What is computed between two stages is so whatever happened. */
static gf_pv counts(gf_ptx_emit *e, gf_ptx_operand state) {
    gf_pv ended = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%d]", gf_ptx_spell(ended).text, state.text,
                GF_PTX_STATE_ENDED);
    gf_pv is_none = operate(e, GF_OP_EQ, GF_TYPE_U32, ended, gf_ptx_constant(GF_TYPE_U32, 0));
    return operate(e, GF_OP_OR, GF_TYPE_BOOL, is_none, operate(e, GF_OP_EQ, GF_TYPE_U32, ended, e->stretch));
}

/* The lock is taken by few: by who comes first, and by who has a lower id than all before. Threads of one warp may wait
 * for each other here, for each of them makes progress. */
static void write_record(gf_ptx_emit *e, gf_pv linear, const fault *f) {
    gf_ptx *p = &e->p;
    uint32_t again = gf_ptx_label(p), told = gf_ptx_label(p);
    gf_pv state = gf_ptx_new_value(p, GF_TYPE_U64), known = gf_ptx_new_value(p, GF_TYPE_U64),
          lock = gf_ptx_new_value(p, GF_TYPE_U32);
    const gf_ptx_operand at = gf_ptx_spell(state), seen = gf_ptx_spell(known), held = gf_ptx_spell(lock);
    gf_ptx_line(p, "ld.const.u64 %s, [gf_args+%d]", at.text, 8 * GF_PTX_ARGS_STATE);
    gf_ptx_line(p, "ld.relaxed.gpu.global.u64 %s, [%s+%d]", seen.text, at.text, GF_PTX_STATE_CULPRIT);
    gf_ptx_jump_if(p, operate(e, GF_OP_LT, GF_TYPE_U64, linear, known), false, told);
    gf_ptx_place(p, again);
    gf_ptx_line(p, "atom.acquire.gpu.global.cas.b32 %s, [%s+%d], 0, 1", held.text, at.text, GF_PTX_STATE_LOCK);
    gf_ptx_jump_if(p, operate(e, GF_OP_NE, GF_TYPE_U32, lock, gf_ptx_constant(GF_TYPE_U32, 0)), true, again);
    gf_ptx_line(p, "ld.relaxed.gpu.global.u64 %s, [%s+%d]", seen.text, at.text, GF_PTX_STATE_CULPRIT);
    gf_pv lower = gf_ptx_register(p, operate(e, GF_OP_LT, GF_TYPE_U64, linear, known)), ended = word(1);
    if (e->stretch.type != GF_TYPE_NONE) {
        ended = gf_ptx_extend(p, e->stretch);
        lower = gf_ptx_register(p, operate(e, GF_OP_AND, GF_TYPE_BOOL, lower, counts(e, at)));
    }
    const struct {
        int offset;
        gf_pv value;
    } fields[] = {{GF_PTX_STATE_CULPRIT, linear},
                  {GF_PTX_STATE_EVENT, operate(e, GF_OP_AND, GF_TYPE_U64, f->place, word((1 << EVENT_BITS) - 1))},
                  {GF_PTX_STATE_PLACE, gf_ptx_op(p, GF_OP_SHR, GF_TYPE_U64, GF_TYPE_U32, f->place,
                                                 gf_ptx_constant(GF_TYPE_U32, EVENT_BITS), none)},
                  {GF_PTX_STATE_VALUE, f->value},
                  {GF_PTX_STATE_COUNT, f->count},
                  {GF_PTX_STATE_FROM, first_item(e)},
                  {GF_PTX_STATE_PASS, e->passes},
                  {GF_PTX_STATE_ENDED, ended}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].value.type == GF_TYPE_NONE) {
            continue;
        }
        gf_pv field = gf_ptx_register(p, fields[i].value);
        gf_ptx_line(p, "@%s st.relaxed.gpu.global.u64 [%s+%d], %s", gf_ptx_spell(lower).text, at.text, fields[i].offset,
                    gf_ptx_spell(field).text);
    }
    gf_pv outcome = gf_ptx_new_value(p, GF_TYPE_U64), one = gf_ptx_register(p, word(1));
    gf_ptx_line(p, "ld.const.u64 %s, [gf_args+%d]", gf_ptx_spell(outcome).text, 8 * GF_PTX_ARGS_OUTCOME);
    gf_ptx_line(p, "st.relaxed.sys.global.u64 [%s+%d], %s", gf_ptx_spell(outcome).text, 8 * GF_PTX_OUTCOME_RECORDED,
                gf_ptx_spell(one).text);
    gf_ptx_line(p, "st.release.gpu.global.u32 [%s+%d], 0", at.text, GF_PTX_STATE_LOCK);
    gf_ptx_place(p, told);
    if (e->ended.type == GF_TYPE_BOOL && !e->ended.is_constant) {
        e->has_ended = true;
        gf_ptx_move(p, e->ended, gf_ptx_constant(GF_TYPE_BOOL, 1));
    }
}

/* ---- notes ---- */

static void note(gf_ptx_emit *e, gf_pv condition, const fault *f) {
    gf_ptx *p = &e->p;
    const struct {
        int offset;
        gf_pv value;
    } fields[] = {{NOTE_VALUE, f->value}, {NOTE_COUNT, f->count}, {NOTE_PLACE, f->place}};
    gf_pv nothing = gf_ptx_op(p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_BOOL, e->noted, none, none);
    gf_pv first = gf_ptx_register(p, operate(e, GF_OP_AND, GF_TYPE_BOOL, condition, nothing));
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        gf_pv field = gf_ptx_register(p, fields[i].value);
        gf_ptx_line(p, "@%s st.local.u64 [gf_note+%d], %s", gf_ptx_spell(first).text, fields[i].offset,
                    gf_ptx_spell(field).text);
    }
    gf_ptx_move(p, e->noted, operate(e, GF_OP_OR, GF_TYPE_BOOL, e->noted, condition));
    e->has_notes = true;
}

void gf_ptx_record(gf_ptx_emit *e, gf_pv condition, gf_ptx_event event, gf_ptx_site place, gf_pv value, gf_pv count) {
    gf_ptx *p = &e->p;
    if (e->has_live) {
        condition = operate(e, GF_OP_AND, GF_TYPE_BOOL, condition, e->live);
    }
    if (condition.is_constant && condition.bits == 0) {
        return;
    }
    place.segment = e->segment;
    gf_push(e->arena, &e->places, place);
    fault f = {.place = word((uint64_t)(e->places.count - 1) << EVENT_BITS | event), .value = value, .count = count};
    if (e->noted.type == GF_TYPE_BOOL) {
        note(e, condition, &f);
        return;
    }
    uint32_t after = gf_ptx_label(p);
    gf_ptx_jump_if(p, condition, false, after);
    write_record(e, gf_ptx_linear(e), &f);
    gf_ptx_place(p, after);
}

void gf_ptx_listen(gf_ptx_emit *e) {
    e->noted = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    e->has_notes = false;
    e->listens_at = e->p.text.length;
}

/* Where the body begins, now that it is known to have something to note. */
static void begin_notes(gf_ptx_emit *e) {
    gf_str *text = &e->p.text;
    size_t old = text->length;
    if (!e->p.has_note) {
        gf_str_addf(text, "    .local .align 8 .b8 gf_note[%d];\n", NOTE_BYTES);
        e->p.has_note = true;
    }
    gf_ptx_move(&e->p, e->noted, gf_ptx_constant(GF_TYPE_BOOL, 0));
    if (text->failed) {
        return;
    }
    size_t added = text->length - old;
    char *lines = gf_new_array(e->arena, char, added);
    memcpy(lines, text->text + old, added);
    memmove(text->text + e->listens_at + added, text->text + e->listens_at, old - e->listens_at);
    memcpy(text->text + e->listens_at, lines, added);
}

void gf_ptx_tell(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    if (e->has_notes) {
        uint32_t after = gf_ptx_label(p);
        fault f = {.place = gf_ptx_new_value(p, GF_TYPE_U64),
                   .value = gf_ptx_new_value(p, GF_TYPE_U64),
                   .count = gf_ptx_new_value(p, GF_TYPE_U64)};
        begin_notes(e);
        gf_ptx_jump_if(p, e->noted, false, after);
        const gf_pv fields[] = {f.value, f.count, f.place};
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
            gf_ptx_line(p, "ld.local.u64 %s, [gf_note+%zu]", gf_ptx_spell(fields[i]).text, 8 * i);
        }
        write_record(e, gf_ptx_linear(e), &f);
        gf_ptx_place(p, after);
    }
    e->noted = none;
    e->has_notes = false;
}
