/* The memory of a launch. */
#include "backend/interp/machine.h"
#include "backend/interp/races.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

/* count * size bytes of zeros; nothing is taken where one is 0. */
static bool take(void *slot, uint64_t count, uint64_t size) {
    void *data = NULL;
    uint64_t bytes;
    if (count > 0 && size > 0) {
        if (!gf_mul_u64(count, size, &bytes) || bytes > PTRDIFF_MAX) {
            return false;
        }
        data = gf_calloc((size_t)count, (size_t)size);
        if (data == NULL) {
            return false;
        }
    }
    memcpy(slot, &data, sizeof data);
    return true;
}

static bool take_frames(gf_machine *m) {
    const gf_module *code = m->code;
    uint64_t groups = code->frames_needed ? m->group_count : 1, lanes = m->group_size, all;
    if (!gf_mul_u64(groups, lanes, &all)) {
        return false;
    }
    uint64_t every = m->group_count;
    return take(&m->grid_frames, all, code->grid_frame_regs * sizeof(uint64_t)) &&
           take(&m->group_frames, lanes, code->group_frame_regs * sizeof(uint64_t)) &&
           take(&m->grid_bytes, all, code->grid_frame_bytes) && take(&m->group_bytes, lanes, code->group_frame_bytes) &&
           take(&m->temporary, 1, code->temporary_bytes) && take(&m->shared, groups, code->shared_bytes) &&
           take(&m->group_regs, code->frames_needed ? groups : 0, code->group_regs.count * sizeof(uint64_t)) &&
           take(&m->ended, code->may_end ? all : 0, 1) && take(&m->left, code->may_end ? groups : 0, 1) &&
           take(&m->given_group, code->gives_group ? lanes : 0, sizeof(uint64_t)) &&
           take(&m->given_grid, code->gives_grid ? all : 0, sizeof(uint64_t)) &&
           take(&m->group_results, code->folds_grid ? every : 0, sizeof(uint64_t)) &&
           take(&m->before_lanes, code->most_assigned, sizeof(uint64_t)) &&
           take(&m->before_stretch, code->most_assigned, sizeof(uint64_t));
}

static void fill_regs(gf_machine *m) {
    for (size_t i = 0; i < m->code->fill_count; i++) {
        const gf_fill *fill = &m->code->fills[i];
        uint64_t value = fill->bits;
        switch (fill->kind) {
        case GF_FILL_BITS:
            break;
        case GF_FILL_PARAM:
            value = m->launch->params[fill->bits].bits;
            break;
        case GF_FILL_LENGTH:
            value = m->launch->buffers[fill->bits].count;
            value = fill->type == GF_TYPE_U32 ? (uint32_t)value : value;
            break;
        case GF_FILL_SIZE: {
            unsigned axis = (unsigned)(fill->bits & 7);
            gf_builtin builtin = (gf_builtin)(fill->bits >> 3);
            value = builtin == GF_BUILTIN_SPACE       ? m->launch->space[axis]
                    : builtin == GF_BUILTIN_GRID_SIZE ? m->launch->groups[axis]
                                                      : m->workgroup[axis];
            value = (uint32_t)value;
            break;
        }
        }
        m->regs[fill->reg] = value;
    }
}

static void place_arrays(gf_machine *m) {
    for (size_t i = 0; i < m->code->array_count; i++) {
        const gf_array_info *info = &m->code->arrays[i];
        m->arrays[i].count = info->length;
        switch (info->home) {
        case GF_HOME_BUFFER:
            m->arrays[i] = (gf_array){.data = m->launch->buffers[i].data, .count = m->launch->buffers[i].count};
            break;
        case GF_HOME_TEMPORARY:
            m->arrays[i].data = m->temporary == NULL ? NULL : m->temporary + info->offset;
            break;
        case GF_HOME_SHARED:
        case GF_HOME_GROUP_FRAME:
        case GF_HOME_GRID_FRAME:
            break; /* move with the workgroup or the invocation */
        }
    }
}

bool gf_machine_init(gf_machine *m, const gf_module *code, const gf_tree *tree, const gf_launch *launch,
                     gf_launch_result *result, gf_diags *diags) {
    *m = (gf_machine){.code = code,
                      .tree = tree,
                      .launch = launch,
                      .result = result,
                      .diags = diags,
                      .budget = GF_BUDGET,
                      .group_size = 1,
                      .group_count = 1};
    for (int axis = 0; axis < 3; axis++) {
        m->workgroup[axis] = tree->kernel.workgroup[axis];
        if (!gf_mul_u64(m->group_size, m->workgroup[axis], &m->group_size) ||
            !gf_mul_u64(m->group_count, launch->groups[axis], &m->group_count)) {
            return gf_fail_memory(diags);
        }
    }
    if (!take(&m->regs, GF_REGISTERS, sizeof *m->regs) || !take(&m->arrays, code->array_count, sizeof *m->arrays) ||
        !take(&m->snapshots, tree->kernel.watched_count, sizeof *m->snapshots) || !take_frames(m)) {
        return gf_fail_memory(diags);
    }
    if (launch->races) {
        m->races = gf_races_create(m);
        if (m->races == NULL) {
            return gf_fail_memory(diags);
        }
    }
    fill_regs(m);
    place_arrays(m);
    return true;
}

void gf_machine_close(gf_machine *m) {
    for (size_t i = 0; m->snapshots != NULL && i < m->tree->kernel.watched_count; i++) {
        gf_free(m->snapshots[i]);
    }
    gf_free(m->snapshots);
    gf_races_destroy(m->races);
    gf_free(m->regs);
    gf_free(m->arrays);
    gf_free(m->grid_frames);
    gf_free(m->group_frames);
    gf_free(m->grid_bytes);
    gf_free(m->group_bytes);
    gf_free(m->temporary);
    gf_free(m->shared);
    gf_free(m->group_regs);
    gf_free(m->ended);
    gf_free(m->left);
    gf_free(m->given_group);
    gf_free(m->given_grid);
    gf_free(m->group_results);
    gf_free(m->before_lanes);
    gf_free(m->before_stretch);
    gf_free(m->pending);
}
