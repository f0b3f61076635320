/* Who runs when: the invocations of a workgroup one after the other up to a stop, the workgroups one after the other
 * up to a stop of the grid. */
#include "backend/interp/races.h"

#include "base/memory.h"
#include "ir/eval.h"
#include "ir/fold.h"

#include <string.h>

bool gf_must_stop(gf_machine *m) {
    m->budget = GF_BUDGET;
    if (m->stop_reason == GF_STOP_NONE) {
        m->stop_reason = gf_stop_poll(m->launch->stop);
    }
    return m->stop_reason != GF_STOP_NONE || m->no_memory;
}

static void keep_values(const gf_machine *m, const gf_regs *regs, uint64_t *values) {
    for (size_t i = 0; i < regs->count; i++) {
        values[i] = m->regs[regs->items[i]];
    }
}

static void put_back(gf_machine *m, const gf_regs *regs, const uint64_t *values) {
    for (size_t i = 0; i < regs->count; i++) {
        m->regs[regs->items[i]] = values[i];
    }
}

/* NULL where nothing is kept. */
static uint64_t *part(uint64_t *all, uint64_t index, uint64_t size) {
    return all == NULL ? NULL : all + index * size;
}

static void load_frame(gf_machine *m, const gf_saves *saves, const uint64_t *frame) {
    for (size_t i = 0; i < saves->count; i++) {
        m->regs[saves->items[i].reg] = frame[saves->items[i].offset];
    }
}

static void save_frame(const gf_machine *m, const gf_saves *saves, uint64_t *frame) {
    for (size_t i = 0; i < saves->count; i++) {
        frame[saves->items[i].offset] = m->regs[saves->items[i].reg];
    }
}

/* ---- one workgroup ---- */

static uint64_t linear(const uint64_t id[3], uint64_t x_size, uint64_t y_size) {
    return id[0] + x_size * (id[1] + y_size * id[2]);
}

static void set_ids(gf_machine *m, const uint16_t regs[4], const uint64_t id[3], uint64_t x_size, uint64_t y_size) {
    for (int axis = 0; axis < 3; axis++) {
        if (regs[axis] != 0) {
            m->regs[regs[axis]] = (uint32_t)id[axis];
        }
    }
    if (regs[3] != 0) {
        m->regs[regs[3]] = (uint32_t)linear(id, x_size, y_size);
    }
}

static void place_lane_arrays(gf_machine *m) {
    for (size_t i = m->code->buffer_count; i < m->code->array_count; i++) {
        const gf_array_info *info = &m->code->arrays[i];
        if (info->home == GF_HOME_GROUP_FRAME && m->group_bytes != NULL) {
            m->arrays[i].data = m->group_bytes + m->actor.index * m->code->group_frame_bytes + info->offset;
        } else if (info->home == GF_HOME_GRID_FRAME && m->grid_bytes != NULL) {
            m->arrays[i].data = m->grid_bytes + m->lane * m->code->grid_frame_bytes + info->offset;
        }
    }
}

static gf_outcome run_lane(gf_machine *m, const gf_step *step, const uint64_t lid[3]) {
    const gf_module *code = m->code;
    uint64_t gid[3];
    for (int axis = 0; axis < 3; axis++) {
        gid[axis] = m->wid[axis] * m->workgroup[axis] + lid[axis];
    }
    set_ids(m, code->ids.gid, gid, m->launch->space[0], m->launch->space[1]);
    set_ids(m, code->ids.lid, lid, m->workgroup[0], m->workgroup[1]);
    put_back(m, &step->assigned, m->before_lanes);
    uint64_t *grid_frame = part(m->grid_frames, m->lane, code->grid_frame_regs);
    uint64_t *group_frame = part(m->group_frames, m->actor.index, code->group_frame_regs);
    load_frame(m, &step->load_grid, grid_frame);
    load_frame(m, &step->load_group, group_frame);
    if (code->grid_frame_bytes + code->group_frame_bytes > 0) {
        place_lane_arrays(m);
    }
    gf_outcome outcome = gf_execute(m, step->code);
    save_frame(m, &step->save_grid, grid_frame);
    save_frame(m, &step->save_group, group_frame);
    return outcome;
}

/* The uniform assignments of a step, once for all who share the variables. What is wrong with them the invocations
 * have said; returned ones say nothing. */
static gf_outcome run_uniform(gf_machine *m, const gf_step *step, const uint64_t *before) {
    if (step->uniform_code == GF_NO_INDEX) {
        return GF_OUTCOME_END;
    }
    put_back(m, &step->assigned, before);
    m->mute++;
    gf_outcome outcome = gf_execute(m, step->uniform_code);
    m->mute--;
    return outcome == GF_OUTCOME_STOPPED ? outcome : GF_OUTCOME_END;
}

static gf_outcome run_lanes(gf_machine *m, const gf_step *step) {
    uint64_t base = m->code->frames_needed ? m->actor.group * m->group_size : 0, lid[3];
    keep_values(m, &step->assigned, m->before_lanes);
    m->actor.kind = GF_ACTOR_LANE;
    for (lid[2] = 0; lid[2] < m->extent[2]; lid[2]++) {
        for (lid[1] = 0; lid[1] < m->extent[1]; lid[1]++) {
            for (lid[0] = 0; lid[0] < m->extent[0]; lid[0]++) {
                m->actor.index = linear(lid, m->workgroup[0], m->workgroup[1]);
                m->lane = base + m->actor.index;
                if (m->ended != NULL && m->ended[m->lane]) {
                    continue;
                }
                m->mute = 0;
                gf_outcome outcome = run_lane(m, step, lid);
                if (outcome == GF_OUTCOME_STOPPED || (--m->budget <= 0 && gf_must_stop(m))) {
                    return GF_OUTCOME_STOPPED;
                }
                if (outcome == GF_OUTCOME_ENDED && m->ended != NULL) {
                    m->ended[m->lane] = 1;
                }
            }
        }
    }
    m->mute = 0;
    m->actor.kind = GF_ACTOR_GROUP;
    m->actor.index = 0;
    return run_uniform(m, step, m->before_lanes);
}

/* Invocations that have ended, or never were, give the neutral element. */
static void fill_neutral(gf_machine *m, uint64_t *given, uint64_t base, uint64_t neutral) {
    bool whole = m->extent[0] * m->extent[1] * m->extent[2] == m->group_size;
    if (whole && m->ended == NULL) {
        return;
    }
    uint64_t lane = 0;
    for (uint64_t z = 0; z < m->workgroup[2]; z++) {
        for (uint64_t y = 0; y < m->workgroup[1]; y++) {
            for (uint64_t x = 0; x < m->workgroup[0]; x++, lane++) {
                bool exists = x < m->extent[0] && y < m->extent[1] && z < m->extent[2];
                if (!exists || (m->ended != NULL && m->ended[base + lane])) {
                    given[lane] = neutral;
                }
            }
        }
    }
}

static uint64_t wrap(gf_type type, uint64_t value) {
    return gf_type_bytes(type) == 4 ? (uint32_t)value : value;
}

/* Each value becomes the sum of those before it. */
static void scan(gf_type type, uint64_t *values, uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = values[i];
        values[i] = sum;
        sum = wrap(type, sum + value);
    }
}

static uint64_t lane_base(const gf_machine *m) {
    return m->code->frames_needed ? m->actor.group * m->group_size : 0;
}

static gf_outcome meet_group_barrier(gf_machine *m) {
    m->epoch++;
    if (m->pending_count > 0) {
        gf_renew_copies(m);
    }
    return gf_must_stop(m) ? GF_OUTCOME_STOPPED : GF_OUTCOME_END;
}

/* Runs the steps from `at` to the end of the workgroup's part of the stretch. */
static gf_outcome run_group(gf_machine *m, uint32_t at) {
    for (;;) {
        const gf_step *step = &m->code->steps[at++];
        gf_outcome outcome = GF_OUTCOME_END;
        switch (step->kind) {
        case GF_STEP_LANES:
            outcome = run_lanes(m, step);
            break;
        case GF_STEP_GROUP_BARRIER:
            outcome = meet_group_barrier(m);
            break;
        case GF_STEP_GROUP_FOLD:
            fill_neutral(m, m->given_group, lane_base(m), gf_combine_neutral(step->combine, step->type));
            m->regs[step->reg] = gf_fold_bits(step->combine, step->type, m->given_group, m->group_size);
            break;
        case GF_STEP_GROUP_SCAN:
            fill_neutral(m, m->given_group, lane_base(m), 0);
            scan(step->type, m->given_group, m->group_size);
            break;
        case GF_STEP_GROUP_RETURN:
            m->left[m->code->frames_needed ? m->actor.group : 0] = 1;
            memset(m->ended + lane_base(m), 1, (size_t)m->group_size);
            return GF_OUTCOME_END;
        case GF_STEP_HEAD:
            outcome = gf_execute(m, step->code);
            /* An error in a head ends the run at the next barrier; until then its value is 0. */
            outcome = outcome == GF_OUTCOME_ENDED ? GF_OUTCOME_STOPPED : outcome;
            break;
        case GF_STEP_JUMP:
            at = step->to;
            break;
        case GF_STEP_JUMP_ZERO:
            at = m->regs[step->reg] == 0 ? step->to : at;
            break;
        case GF_STEP_GROUP_END:
        case GF_STEP_STRETCH:
        case GF_STEP_GRID_BARRIER:
        case GF_STEP_FORALL:
        case GF_STEP_GRID_FOLD:
        case GF_STEP_GRID_SCAN:
        case GF_STEP_SWAP:
        case GF_STEP_COLLECTIVE:
        case GF_STEP_PASS_END:
            return GF_OUTCOME_END;
        }
        if (outcome == GF_OUTCOME_STOPPED) {
            return outcome;
        }
    }
}

static void enter_group(gf_machine *m, uint64_t group) {
    const gf_module *code = m->code;
    m->actor = (gf_actor){.kind = GF_ACTOR_GROUP, .group = group};
    m->epoch = 0;
    uint64_t rest = group;
    for (int axis = 0; axis < 3; axis++) {
        m->wid[axis] = rest % m->launch->groups[axis];
        rest /= m->launch->groups[axis];
        uint64_t begin = m->wid[axis] * m->workgroup[axis], space = m->launch->space[axis];
        uint64_t left = begin < space ? space - begin : 0;
        m->extent[axis] = left < m->workgroup[axis] ? left : m->workgroup[axis];
    }
    set_ids(m, code->ids.wid, m->wid, m->launch->groups[0], m->launch->groups[1]);
    uint64_t slot = code->frames_needed ? group : 0;
    if (!code->frames_needed) {
        if (m->shared != NULL) {
            memset(m->shared, 0, (size_t)code->shared_bytes);
        }
        if (m->ended != NULL) {
            memset(m->ended, 0, (size_t)m->group_size);
            m->left[0] = 0;
        }
    } else {
        put_back(m, &code->group_regs, part(m->group_regs, slot, code->group_regs.count));
    }
    for (size_t i = code->buffer_count; i < code->array_count && code->arrays[i].home == GF_HOME_SHARED; i++) {
        m->arrays[i].data = m->shared == NULL ? NULL : m->shared + slot * code->shared_bytes + code->arrays[i].offset;
    }
    gf_races_enter(m);
}

static void leave_group(gf_machine *m, const gf_step *stretch) {
    const gf_module *code = m->code;
    uint64_t group = m->actor.group, base = lane_base(m);
    if (stretch->finish == GF_FINISH_FOLD) {
        fill_neutral(m, m->given_group, base, gf_combine_neutral(stretch->combine, stretch->type));
        m->group_results[group] = gf_fold_bits(stretch->combine, stretch->type, m->given_group, m->group_size);
    } else if (stretch->finish == GF_FINISH_SCAN) {
        fill_neutral(m, m->given_grid + base, base, 0);
    }
    if (code->frames_needed) {
        keep_values(m, &code->group_regs, part(m->group_regs, group, code->group_regs.count));
    }
    gf_races_leave(m);
}

static gf_outcome run_stretch(gf_machine *m, uint32_t at) {
    const gf_step *stretch = &m->code->steps[at];
    keep_values(m, &stretch->assigned, m->before_stretch);
    m->worked = true;
    for (uint64_t group = 0; group < m->group_count; group++) {
        put_back(m, &stretch->assigned, m->before_stretch);
        enter_group(m, group);
        bool gone = m->left != NULL && m->code->frames_needed && m->left[group];
        if (!gone && run_group(m, at + 1) == GF_OUTCOME_STOPPED) {
            return GF_OUTCOME_STOPPED;
        }
        leave_group(m, stretch);
    }
    m->actor = (gf_actor){.kind = GF_ACTOR_GRID};
    return run_uniform(m, stretch, m->before_stretch);
}

/* ---- the grid ---- */

static bool is_over(const gf_machine *m) {
    return m->result->trap.raised || m->fault.kind != GF_FAULT_NONE || gf_races_found(m->races) || m->no_memory;
}

static gf_outcome meet_grid_barrier(gf_machine *m) {
    m->result->barriers += m->worked; /* adjacent barriers are one */
    m->worked = false;
    m->stretch++;
    m->foralls = 0;
    m->pending_count = 0;
    gf_races_barrier(m);
    return gf_must_stop(m) || is_over(m) ? GF_OUTCOME_STOPPED : GF_OUTCOME_END;
}

/* The values of a forall that reduces, in order: sums of floats by blocks of the fixed order, the rest at once. */
#define BLOCK 4096
typedef struct sequence {
    bool by_blocks, any;
    uint64_t value;
    uint64_t *block, *results;
    uint64_t block_count, result_count, result_room;
} sequence;

static bool add_result(sequence *s, gf_combine combine, gf_type type) {
    if (s->result_count == s->result_room) {
        uint64_t room = s->result_room == 0 ? 64 : s->result_room * 2;
        uint64_t *grown = gf_realloc(s->results, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        s->results = grown;
        s->result_room = room;
    }
    s->results[s->result_count++] = gf_fold_bits(combine, type, s->block, s->block_count);
    s->block_count = 0;
    return true;
}

static bool add_value(sequence *s, gf_combine combine, gf_type type, uint64_t value) {
    if (!s->by_blocks) { /* from the neutral element on: NaN alone gives that */
        s->value = gf_eval_combine(combine, type, s->any ? s->value : gf_combine_neutral(combine, type), value);
        s->any = true;
        return true;
    }
    s->any = true;
    s->block[s->block_count++] = value;
    return s->block_count < BLOCK || add_result(s, combine, type);
}

static bool finish(sequence *s, gf_combine combine, gf_type type) {
    if (s->by_blocks && s->any) {
        if (s->block_count > 0 && !add_result(s, combine, type)) {
            return false;
        }
        s->value = gf_fold_bits(combine, type, s->results, s->result_count);
    }
    return true;
}

static gf_outcome run_items(gf_machine *m, const gf_step *step, sequence *sequences) {
    uint64_t count = gf_turns(step->type, m->item_from, m->regs[step->until], 1);
    for (uint64_t item = 0; item < count; item++) {
        m->actor.index = item;
        m->mute = 0;
        m->regs[step->reg] = wrap(step->type, m->item_from + item);
        for (size_t k = 0; k < step->reduce_count; k++) {
            m->regs[step->reduces[k].inner] = gf_combine_neutral(step->reduces[k].combine, step->reduces[k].type);
        }
        gf_outcome outcome = gf_execute(m, step->code);
        if (outcome == GF_OUTCOME_STOPPED || (--m->budget <= 0 && gf_must_stop(m))) {
            return GF_OUTCOME_STOPPED;
        }
        for (size_t k = 0; k < step->reduce_count && outcome == GF_OUTCOME_END; k++) {
            const gf_step_reduce *reduce = &step->reduces[k];
            if (!add_value(&sequences[k], reduce->combine, reduce->type, m->regs[reduce->inner])) {
                m->no_memory = true;
                return GF_OUTCOME_STOPPED;
            }
        }
    }
    m->mute = 0;
    return GF_OUTCOME_END;
}

static gf_outcome run_forall(gf_machine *m, const gf_step *step) {
    m->worked = true;
    m->foralls++;
    m->item_from = m->regs[step->from];
    m->item_type = step->type;
    m->actor = (gf_actor){.kind = GF_ACTOR_ITEM, .forall = m->foralls};
    gf_races_forall(m);
    sequence *sequences = gf_calloc(step->reduce_count, sizeof *sequences);
    bool memory = sequences != NULL && !m->no_memory;
    for (size_t k = 0; memory && k < step->reduce_count; k++) {
        const gf_step_reduce *reduce = &step->reduces[k];
        sequences[k].by_blocks = reduce->combine == GF_COMBINE_ADD && gf_type_is_float(reduce->type);
        if (sequences[k].by_blocks) {
            sequences[k].block = gf_malloc(BLOCK * sizeof(uint64_t));
            memory = sequences[k].block != NULL;
        }
    }
    gf_outcome outcome = memory ? run_items(m, step, sequences) : GF_OUTCOME_STOPPED;
    for (size_t k = 0; outcome == GF_OUTCOME_END && k < step->reduce_count; k++) {
        const gf_step_reduce *reduce = &step->reduces[k];
        memory = memory && finish(&sequences[k], reduce->combine, reduce->type);
        if (memory) { /* no items give the neutral element, which is more than nothing where the old value is a NaN */
            uint64_t value = sequences[k].any ? sequences[k].value : gf_combine_neutral(reduce->combine, reduce->type);
            m->regs[reduce->outer] = gf_eval_combine(reduce->combine, reduce->type, m->regs[reduce->outer], value);
        }
    }
    for (size_t k = 0; sequences != NULL && k < step->reduce_count; k++) {
        gf_free(sequences[k].block);
        gf_free(sequences[k].results);
    }
    gf_free(sequences);
    m->actor = (gf_actor){.kind = GF_ACTOR_GRID};
    m->no_memory = m->no_memory || !memory;
    return memory ? outcome : GF_OUTCOME_STOPPED;
}

/* On one rank a collective with two buffers is a copy, one with a single buffer leaves it as it is. */
static void run_collective(gf_machine *m, const gf_step *step) {
    if (step->stmt->collective == GF_COLLECTIVE_ALL_GATHER || step->stmt->collective == GF_COLLECTIVE_REDUCE_SCATTER) {
        const gf_array *input = &m->arrays[step->first], *output = &m->arrays[step->second];
        uint64_t count = input->count < output->count ? input->count : output->count;
        if (count > 0) {
            memmove(output->data, input->data, (size_t)(count * gf_type_bytes(m->code->arrays[step->first].type)));
        }
    }
}

static void run_swap(gf_machine *m, const gf_step *step) {
    gf_launch_buffer *first = &m->launch->buffers[step->first], *second = &m->launch->buffers[step->second];
    void *data = first->data;
    first->data = second->data;
    second->data = data;
    m->arrays[step->first].data = first->data;
    m->arrays[step->second].data = second->data;
}

static void begin_pass(gf_machine *m) {
    const gf_module *code = m->code;
    m->actor = (gf_actor){.kind = GF_ACTOR_GRID};
    m->mute = 0;
    m->worked = false;
    if (!code->frames_needed) {
        return; /* each workgroup is made anew when its turn comes */
    }
    if (m->shared != NULL) {
        memset(m->shared, 0, (size_t)(m->group_count * code->shared_bytes));
    }
    if (m->ended != NULL) {
        memset(m->ended, 0, (size_t)(m->group_count * m->group_size));
        memset(m->left, 0, (size_t)m->group_count);
    }
}

gf_outcome gf_run_pass(gf_machine *m) {
    begin_pass(m);
    for (uint32_t at = 0;;) {
        const gf_step *step = &m->code->steps[at++];
        gf_outcome outcome = GF_OUTCOME_END;
        switch (step->kind) {
        case GF_STEP_STRETCH:
            outcome = run_stretch(m, at - 1);
            at = step->to;
            break;
        case GF_STEP_GRID_BARRIER:
            outcome = meet_grid_barrier(m);
            break;
        case GF_STEP_FORALL:
            outcome = run_forall(m, step);
            break;
        case GF_STEP_GRID_FOLD:
            m->regs[step->reg] = gf_fold_bits(step->combine, step->type, m->group_results, m->group_count);
            break;
        case GF_STEP_GRID_SCAN:
            scan(step->type, m->given_grid, m->group_count * m->group_size);
            break;
        case GF_STEP_SWAP:
            run_swap(m, step);
            break;
        case GF_STEP_COLLECTIVE:
            run_collective(m, step);
            break;
        case GF_STEP_HEAD:
            outcome = gf_execute(m, step->code);
            outcome = outcome == GF_OUTCOME_ENDED ? GF_OUTCOME_STOPPED : outcome;
            break;
        case GF_STEP_JUMP:
            at = step->to;
            break;
        case GF_STEP_JUMP_ZERO:
            at = m->regs[step->reg] == 0 ? step->to : at;
            break;
        case GF_STEP_PASS_END:
        case GF_STEP_LANES:
        case GF_STEP_GROUP_BARRIER:
        case GF_STEP_GROUP_FOLD:
        case GF_STEP_GROUP_SCAN:
        case GF_STEP_GROUP_RETURN:
        case GF_STEP_GROUP_END:
            return is_over(m) ? GF_OUTCOME_STOPPED : GF_OUTCOME_END;
        }
        if (outcome == GF_OUTCOME_STOPPED) {
            return outcome;
        }
    }
}
