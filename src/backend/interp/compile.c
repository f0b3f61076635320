/* Registers, arrays, emission: what all parts of the compiler stand on. */
#include "backend/interp/compile.h"

#include "ir/program.h"

#include <string.h>

bool gf_compile_fault(gf_compiler *c, gf_span span, const char *what) {
    if (!c->failed) {
        c->failed = true;
        gf_fail(c->diags, GF_CODE_INTERP_SIZE, span, "%s", what);
    }
    return false;
}

uint32_t gf_emit(gf_compiler *c, unsigned op, uint32_t a, uint32_t b, uint32_t third, uint32_t d, uint32_t where) {
    if (c->failed) {
        return 0;
    }
    if (c->instrs.count >= GF_CODE_LIMIT) {
        gf_compile_fault(c, c->tree->kernel.span,
                         "the program is too large for the interpreter once its functions are inlined");
        return 0;
    }
    gf_instr instr = {
        .op = (uint16_t)op, .a = (uint16_t)a, .b = (uint16_t)b, .c = (uint16_t)third, .d = d, .where = where};
    gf_push(c->arena, &c->instrs, instr);
    return (uint32_t)c->instrs.count - 1;
}

uint32_t gf_place_of(gf_compiler *c, gf_span span, const gf_stmt *stmt, const gf_symbol *array, gf_type type) {
    if (c->failed) {
        return GF_NO_INDEX;
    }
    gf_place place = {.span = span, .stmt = stmt, .array = array, .type = type};
    gf_push(c->arena, &c->places, place);
    return (uint32_t)c->places.count - 1;
}

uint32_t gf_here(const gf_compiler *c) {
    return (uint32_t)c->instrs.count;
}

void gf_jump(gf_compiler *c, unsigned op, uint32_t reg, uint32_t *chain) {
    if (!c->failed) {
        *chain = gf_emit(c, op, reg, 0, 0, *chain, GF_NO_INDEX);
    }
}

void gf_patch(gf_compiler *c, uint32_t chain) {
    while (!c->failed && chain != GF_NO_INDEX) {
        uint32_t next = c->instrs.items[chain].d;
        c->instrs.items[chain].d = gf_here(c);
        chain = next;
    }
}

static bool has_room(gf_compiler *c) {
    return c->at.next < c->fixed ||
           gf_compile_fault(c, c->tree->kernel.span, "the program has too many values at once for the interpreter");
}

uint32_t gf_reg_stack(gf_compiler *c) {
    return has_room(c) ? c->at.next++ : 0;
}

uint32_t gf_reg_fixed(gf_compiler *c) {
    return has_room(c) ? --c->fixed : 0;
}

static gf_constant *find_constant(gf_constant *table, size_t room, uint64_t bits) {
    size_t at = (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (room - 1);
    while (table[at].used && table[at].bits != bits) {
        at = (at + 1) & (room - 1);
    }
    return &table[at];
}

static void grow_constants(gf_compiler *c) {
    size_t room = c->constant_room == 0 ? 64 : c->constant_room * 2;
    gf_constant *table = gf_new_array(c->arena, gf_constant, room);
    for (size_t i = 0; i < c->constant_room; i++) {
        if (c->constants[i].used) {
            *find_constant(table, room, c->constants[i].bits) = c->constants[i];
        }
    }
    c->constants = table;
    c->constant_room = room;
}

uint32_t gf_reg_constant(gf_compiler *c, uint64_t bits) {
    if (c->failed) {
        return 0;
    }
    if (c->constant_count * 2 >= c->constant_room) {
        grow_constants(c);
    }
    gf_constant *entry = find_constant(c->constants, c->constant_room, bits);
    if (!entry->used) {
        uint32_t reg = gf_reg_fixed(c);
        *entry = (gf_constant){.used = true, .bits = bits, .reg = (uint16_t)reg};
        c->constant_count++;
        gf_fill fill = {.kind = GF_FILL_BITS, .reg = (uint16_t)reg, .bits = bits};
        gf_push(c->arena, &c->fills, fill);
    }
    return entry->reg;
}

uint32_t gf_reg_symbol(gf_compiler *c, const gf_ref *ref) {
    const gf_symbol *symbol = ref->symbol;
    if (c->failed) {
        return 0;
    }
    if (symbol->kind == GF_SYMBOL_CONST) {
        return gf_reg_constant(c, symbol->constant.bits);
    }
    uint32_t reg = symbol->id < c->tree->symbol_count ? c->reg_of[symbol->id] : GF_NO_INDEX;
    if (reg == GF_NO_INDEX) {
        gf_compile_fault(c, ref->span, "a name is used where the interpreter knows no value of it");
        return 0;
    }
    return reg;
}

uint32_t gf_array_index(gf_compiler *c, const gf_ref *ref) {
    uint32_t index = c->failed || ref->symbol->id >= c->tree->symbol_count ? GF_NO_INDEX : c->array_of[ref->symbol->id];
    if (index == GF_NO_INDEX) {
        gf_compile_fault(c, ref->span, "an array is used where the interpreter knows none of that name");
        return 0;
    }
    return index;
}

uint32_t gf_tag_number(gf_compiler *c, const char *tag) {
    for (size_t i = 0; i < c->tags.count; i++) {
        if (strcmp(c->tags.items[i], tag) == 0) {
            return (uint32_t)i;
        }
    }
    gf_push(c->arena, &c->tags, tag);
    return (uint32_t)c->tags.count - 1;
}

uint32_t gf_declare_stack(gf_compiler *c, const gf_symbol *symbol, gf_level lives_across) {
    uint32_t reg = gf_reg_stack(c);
    c->reg_of[symbol->id] = reg;
    if (lives_across != GF_LEVEL_NONE) {
        uint32_t *next = lives_across == GF_LEVEL_GRID ? &c->at.grid_regs : &c->at.group_regs;
        size_t *most = lives_across == GF_LEVEL_GRID ? &c->code->grid_frame_regs : &c->code->group_frame_regs;
        gf_frame_entry entry = {.level = lives_across, .save = {.reg = (uint16_t)reg, .offset = (*next)++}};
        *most = *next > *most ? *next : *most;
        gf_push(c->arena, &c->frame, entry);
    }
    return reg;
}

static uint64_t take_bytes(uint64_t *next, uint64_t *most, uint64_t bytes) {
    uint64_t at = *next;
    *next += (bytes + 7) / 8 * 8;
    *most = *next > *most ? *next : *most;
    return at;
}

void gf_declare_array(gf_compiler *c, const gf_symbol *symbol, gf_level lives_across, gf_span span) {
    uint64_t size = gf_type_bytes(symbol->type);
    if (symbol->length > (UINT64_C(1) << 40) / size || c->arrays.count >= UINT16_MAX) {
        gf_compile_fault(c, span, "the arrays of the program are too large for the interpreter");
        return;
    }
    uint64_t bytes = symbol->length * size;
    gf_array_info info = {.symbol = symbol, .type = symbol->type, .length = symbol->length};
    switch (lives_across) {
    case GF_LEVEL_NONE:
        info.home = GF_HOME_TEMPORARY;
        info.offset = take_bytes(&c->at.temporary_bytes, &c->code->temporary_bytes, bytes);
        break;
    case GF_LEVEL_GROUP:
        info.home = GF_HOME_GROUP_FRAME;
        info.offset = take_bytes(&c->at.group_bytes, &c->code->group_frame_bytes, bytes);
        break;
    case GF_LEVEL_GRID:
        info.home = GF_HOME_GRID_FRAME;
        info.offset = take_bytes(&c->at.grid_bytes, &c->code->grid_frame_bytes, bytes);
        break;
    }
    c->array_of[symbol->id] = (uint32_t)c->arrays.count;
    gf_push(c->arena, &c->arrays, info);
}

static void declare_globals(gf_compiler *c) {
    uint64_t params = 0, shared_next = 0;
    for (int shared = 0; shared < 2; shared++) {
        for (size_t i = 0; i < c->tree->decl_count; i++) {
            const gf_symbol *symbol = c->tree->decls[i];
            if (symbol->kind == (shared ? GF_SYMBOL_SHARED : GF_SYMBOL_BUFFER)) {
                if (c->arrays.count >= UINT16_MAX || symbol->length > UINT64_C(1) << 36) {
                    gf_compile_fault(c, symbol->span, "the arrays of the program are too large for the interpreter");
                    return;
                }
                gf_array_info info = {.symbol = symbol, .type = symbol->type};
                if (shared) {
                    info.home = GF_HOME_SHARED;
                    info.length = symbol->length;
                    info.offset =
                        take_bytes(&shared_next, &c->code->shared_bytes, symbol->length * gf_type_bytes(symbol->type));
                }
                c->array_of[symbol->id] = (uint32_t)c->arrays.count;
                gf_push(c->arena, &c->arrays, info);
            } else if (!shared && symbol->kind == GF_SYMBOL_PARAM) {
                uint32_t reg = gf_reg_fixed(c);
                c->reg_of[symbol->id] = reg;
                gf_fill fill = {.kind = GF_FILL_PARAM, .reg = (uint16_t)reg, .bits = params++};
                gf_push(c->arena, &c->fills, fill);
            }
        }
        if (!shared) {
            c->code->buffer_count = c->arrays.count;
        }
    }
}

static void hand_over(gf_compiler *c) {
    gf_module *code = c->code;
    code->instrs = c->instrs.items;
    code->instr_count = c->instrs.count;
    code->steps = c->steps.items;
    code->step_count = c->steps.count;
    code->places = c->places.items;
    code->place_count = c->places.count;
    code->atomics = c->atomics.items;
    code->copies = c->copies.items;
    code->fills = c->fills.items;
    code->fill_count = c->fills.count;
    code->arrays = c->arrays.items;
    code->array_count = c->arrays.count;
    code->group_regs = (gf_regs){.items = c->group_regs.items, .count = c->group_regs.count};
    code->frames_needed = code->stretch_count > 1;
    bool inside = false;
    for (size_t i = 0; i < c->steps.count; i++) {
        const gf_step *step = &c->steps.items[i];
        inside = step->kind == GF_STEP_STRETCH || (inside && step->kind != GF_STEP_GROUP_END);
        /* One stretch met again: by a jump of the grid back over it. */
        if (!inside && step->kind == GF_STEP_JUMP && step->to <= i && code->stretch_count > 0) {
            code->frames_needed = true;
        }
        code->most_assigned = step->assigned.count > code->most_assigned ? step->assigned.count : code->most_assigned;
    }
}

bool gf_module_compile(gf_arena *arena, const gf_tree *tree, bool watched, gf_module *code, gf_diags *diags) {
    *code = (gf_module){0};
    gf_compiler *c = gf_new(arena, gf_compiler);
    c->arena = arena;
    c->diags = diags;
    c->tree = tree;
    c->code = code;
    c->watched = watched;
    c->fixed = GF_REGISTERS;
    c->stretch = c->lanes = c->pass_ends = GF_NO_INDEX;
    c->context = GF_LEVEL_GRID;
    c->reg_of = gf_new_array(arena, uint32_t, tree->symbol_count);
    c->array_of = gf_new_array(arena, uint32_t, tree->symbol_count);
    c->home = gf_new_array(arena, unsigned char, tree->symbol_count);
    for (uint32_t i = 0; i < tree->symbol_count; i++) {
        c->reg_of[i] = c->array_of[i] = GF_NO_INDEX;
    }
    declare_globals(c);
    gf_find_homes(c);
    gf_compile_kernel(c);
    hand_over(c);
    return !c->failed;
}
