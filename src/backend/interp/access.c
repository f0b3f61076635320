/* Accesses with every check, atomics, copies and traps: what is not so frequent, or must not be fast. */
#include "backend/interp/machine.h"
#include "backend/interp/races.h"

#include "base/memory.h"
#include "ir/eval.h"

#include <string.h>

uint64_t gf_linear_id(const gf_machine *m, const gf_actor *actor) {
    if (actor->kind != GF_ACTOR_LANE) {
        return actor->kind == GF_ACTOR_ITEM ? actor->index : 0;
    }
    uint64_t id[3], group = actor->group, lane = actor->index;
    for (int axis = 0; axis < 3; axis++) {
        id[axis] = group % m->launch->groups[axis] * m->workgroup[axis] + lane % m->workgroup[axis];
        group /= m->launch->groups[axis];
        lane /= m->workgroup[axis];
    }
    return id[0] + m->launch->space[0] * (id[1] + m->launch->space[1] * id[2]);
}

/* Keeps the error if it is of a lower invocation than the one kept. The actor ends. */
static bool fault(gf_machine *m, gf_fault what) {
    if (m->mute > 0) {
        return true;
    }
    what.actor = m->actor;
    what.order = gf_linear_id(m, &m->actor);
    what.item = m->item_from + m->actor.index;
    what.item_type = m->item_type;
    const gf_trap *trap = &m->result->trap;
    bool is_later = trap->raised && trap->invocation <= what.order;
    if (!is_later && (m->fault.kind == GF_FAULT_NONE || what.order < m->fault.order)) {
        m->fault = what;
    }
    return false;
}

static bool out_of_bounds(gf_machine *m, uint32_t where, unsigned array, gf_type index_type, uint64_t index) {
    return fault(m, (gf_fault){.kind = GF_FAULT_BOUNDS,
                               .where = where,
                               .array = m->code->arrays[array].symbol,
                               .index_type = index_type,
                               .index = index,
                               .count = m->arrays[array].count});
}

static bool access_fault(gf_machine *m, const gf_instr *instr) {
    return out_of_bounds(m, instr->where, instr->c, m->code->places[instr->where].type, m->regs[instr->b]);
}

bool gf_check_divisor(gf_machine *m, const gf_instr *instr) {
    return fault(m, (gf_fault){.kind = GF_FAULT_DIVISION, .where = instr->where});
}

static bool is_shared(const gf_machine *m, unsigned array) {
    return m->code->arrays[array].home == GF_HOME_BUFFER || m->code->arrays[array].home == GF_HOME_SHARED;
}

static unsigned char *element_at(const gf_machine *m, unsigned array, uint64_t index) {
    return m->arrays[array].data + index * gf_type_bytes(m->code->arrays[array].type);
}

bool gf_watched_load(gf_machine *m, const gf_instr *instr) {
    uint64_t index = m->regs[instr->b];
    if (index >= m->arrays[instr->c].count) {
        m->regs[instr->a] = 0;
        return access_fault(m, instr);
    }
    if (m->races != NULL && m->mute == 0 && is_shared(m, instr->c)) {
        gf_races_access(m, GF_RACE_LOAD, instr->c, index, 0, instr->where);
    }
    m->regs[instr->a] = gf_element_load(m->code->arrays[instr->c].type, element_at(m, instr->c, index));
    return true;
}

/* What a store of the value leaves in memory, as bits. */
static uint64_t store(const gf_machine *m, unsigned array, uint64_t index, uint64_t value) {
    gf_type type = m->code->arrays[array].type;
    unsigned char *element = element_at(m, array, index);
    gf_element_store(type, element, value);
    return gf_element_load(type, element);
}

bool gf_watched_store(gf_machine *m, const gf_instr *instr) {
    uint64_t index = m->regs[instr->b];
    if (index >= m->arrays[instr->c].count) {
        return access_fault(m, instr);
    }
    uint64_t value = store(m, instr->c, index, m->regs[instr->a]);
    if (m->races != NULL && is_shared(m, instr->c)) {
        gf_races_access(m, GF_RACE_STORE, instr->c, index, value, instr->where);
    }
    return true;
}

static uint32_t apply_u32(gf_atomic atomic, bool is_signed, uint32_t old, uint32_t a, uint32_t b) {
    switch (atomic) {
    case GF_ATOMIC_LOAD:
    case GF_ATOMIC_COUNT:
        return old;
    case GF_ATOMIC_STORE:
    case GF_ATOMIC_EXCHANGE:
        return a;
    case GF_ATOMIC_ADD:
        return old + a;
    case GF_ATOMIC_SUB:
        return old - a;
    case GF_ATOMIC_MIN:
        return (is_signed ? (int32_t)a < (int32_t)old : a < old) ? a : old;
    case GF_ATOMIC_MAX:
        return (is_signed ? (int32_t)a > (int32_t)old : a > old) ? a : old;
    case GF_ATOMIC_AND:
        return old & a;
    case GF_ATOMIC_OR:
        return old | a;
    case GF_ATOMIC_XOR:
        return old ^ a;
    case GF_ATOMIC_COMPARE_EXCHANGE:
        return old == a ? b : old;
    }
    return old;
}

uint64_t gf_atomic_apply(const gf_atomic_use *use, unsigned char *element, uint64_t operand, uint64_t desired) {
    if (use->type == GF_TYPE_U32 || use->type == GF_TYPE_I32) {
        uint32_t old, next;
        memcpy(&old, element, sizeof old);
        next = apply_u32(use->atomic, use->type == GF_TYPE_I32, old, (uint32_t)operand, (uint32_t)desired);
        memcpy(element, &next, sizeof next);
        return old;
    }
    uint64_t old = gf_element_load(use->type, element);
    if (use->atomic != GF_ATOMIC_LOAD) {
        uint64_t next = gf_eval_atomic(use->atomic, use->type, old, operand, desired);
        /* A failed exchange leaves the very bits that were there. */
        if (use->atomic != GF_ATOMIC_COMPARE_EXCHANGE || next != old) {
            gf_element_store(use->type, element, next);
        }
    }
    return old;
}

bool gf_watched_atomic(gf_machine *m, const gf_instr *instr) {
    uint64_t index = m->regs[instr->b];
    const gf_atomic_use *use = &m->code->atomics[instr->d];
    if (index >= m->arrays[instr->c].count) {
        m->regs[instr->a] = 0;
        return access_fault(m, instr);
    }
    bool load = use->atomic == GF_ATOMIC_LOAD;
    if (m->races != NULL && (m->mute == 0 || !load) && is_shared(m, instr->c)) {
        gf_races_access(m, load ? GF_RACE_ATOMIC_LOAD : GF_RACE_ATOMIC, instr->c, index, 0, instr->where);
    }
    m->regs[instr->a] =
        gf_atomic_apply(use, element_at(m, instr->c, index), m->regs[use->operand], m->regs[use->desired]);
    return true;
}

/* ---- copies ---- */

static bool is_negative(gf_type type, uint64_t bits) {
    return gf_type_is_signed(type) && bits >> 63 != 0;
}

/* The elements k of a copy that lie inside the array: first <= k < end. Indices are 64 bits with sign. */
static void clip(gf_type type, uint64_t index, uint64_t length, uint64_t count, uint64_t *first, uint64_t *end) {
    *first = 0;
    *end = count;
    if (is_negative(type, index)) {
        *first = 0 - index; /* elements before it have a negative index */
        uint64_t beyond = *first + length;
        *end = beyond < *first || beyond > count ? count : beyond;
    } else if (index >= length) {
        *end = 0;
    } else if (count > length - index) {
        *end = length - index;
    }
}

static void note_copy(gf_machine *m, const gf_pending_copy *copy) {
    for (uint64_t k = 0; m->races != NULL && k < copy->count; k++) {
        unsigned target = copy->use->target;
        uint64_t value = gf_element_load(m->code->arrays[target].type, element_at(m, target, copy->target + k));
        if (is_shared(m, copy->use->source)) {
            gf_races_access(m, GF_RACE_LOAD, copy->use->source, copy->source + k, 0, copy->where);
        }
        if (is_shared(m, target)) {
            gf_races_access(m, GF_RACE_STORE, target, copy->target + k, value, copy->where);
        }
    }
}

static bool remember_copy(gf_machine *m, const gf_pending_copy *copy) {
    if (m->pending_count == m->pending_room) {
        size_t room = m->pending_room == 0 ? 16 : m->pending_room * 2;
        gf_pending_copy *grown = gf_realloc(m->pending, room * sizeof *grown);
        if (grown == NULL) {
            m->no_memory = true;
            return false;
        }
        m->pending = grown;
        m->pending_room = room;
    }
    m->pending[m->pending_count++] = *copy;
    return true;
}

/* Copied at once: at any time up to the wait is allowed. What lies outside the source gives 0, outside the target
 * nothing is written. */
bool gf_copy(gf_machine *m, const gf_instr *instr) {
    const gf_copy_use *use = &m->code->copies[instr->d];
    uint64_t target = m->regs[use->target_index], source = m->regs[use->source_index], count = m->regs[use->count];
    const gf_array *to = &m->arrays[use->target], *from = &m->arrays[use->source];
    if (is_negative(use->count_type, count)) {
        count = 0;
    }
    uint64_t first, end, inside_first, inside_end;
    clip(use->target_type, target, to->count, count, &first, &end);
    clip(use->source_type, source, from->count, count, &inside_first, &inside_end);
    if (m->launch->checked || m->launch->races) {
        /* What is stored is loaded before. */
        if (count > 0 && (inside_first > 0 || inside_end < count)) {
            return out_of_bounds(m, use->source_where, use->source, use->source_type,
                                 inside_first > 0 ? source : source + inside_end);
        }
        if (count > 0 && (first > 0 || end < count)) {
            return out_of_bounds(m, use->target_where, use->target, use->target_type,
                                 first > 0 ? target : target + end);
        }
    }
    gf_type type = m->code->arrays[use->source].type;
    for (uint64_t k = first; k < end; k++) {
        bool inside = k >= inside_first && k < inside_end;
        uint64_t value = inside ? gf_element_load(type, element_at(m, use->source, source + k)) : 0;
        gf_element_store(m->code->arrays[use->target].type, element_at(m, use->target, target + k), value);
        if ((k & 4095) == 0 && --m->budget <= 0 && gf_must_stop(m)) {
            return false;
        }
    }
    if (m->races == NULL) {
        return true;
    }
    gf_pending_copy copy = {.lane = m->actor.index,
                            .group = m->actor.kind == GF_ACTOR_ITEM ? UINT64_MAX - m->actor.forall : m->actor.group,
                            .use = use,
                            .target = target,
                            .source = source,
                            .count = count,
                            .where = instr->where};
    note_copy(m, &copy);
    return remember_copy(m, &copy);
}

/* Until the wait the copy may happen at any time: it counts again behind each barrier that lies between. */
void gf_renew_copies(gf_machine *m) {
    gf_actor before = m->actor;
    for (size_t i = 0; i < m->pending_count; i++) {
        if (m->pending[i].group == before.group) {
            m->actor = (gf_actor){.kind = GF_ACTOR_LANE, .group = before.group, .index = m->pending[i].lane};
            note_copy(m, &m->pending[i]);
        }
    }
    m->actor = before;
}

void gf_wait(gf_machine *m, uint32_t tag) {
    uint64_t group = m->actor.kind == GF_ACTOR_ITEM ? UINT64_MAX - m->actor.forall : m->actor.group;
    size_t kept = 0;
    for (size_t i = 0; i < m->pending_count; i++) {
        const gf_pending_copy *copy = &m->pending[i];
        if (copy->use->tag != tag || copy->group != group || copy->lane != m->actor.index) {
            m->pending[kept++] = *copy;
        }
    }
    m->pending_count = kept;
}

void gf_trap_here(gf_machine *m, const gf_instr *instr) {
    gf_trap *trap = &m->result->trap;
    uint64_t order = gf_linear_id(m, &m->actor);
    bool is_later = m->fault.kind != GF_FAULT_NONE && m->fault.order <= order;
    if (is_later || (trap->raised && trap->invocation <= order)) {
        return;
    }
    const gf_place *place = &m->code->places[instr->where];
    *trap = (gf_trap){.raised = true,
                      .is_assert = instr->op == GF_DO_ASSERT,
                      .stretch = m->stretch,
                      .invocation = order,
                      .stmt = place->stmt,
                      .address = {.type = place->type, .bits = gf_canonical(place->type, m->regs[instr->a])}};
}
