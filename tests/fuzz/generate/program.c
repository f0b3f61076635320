/* A program as a whole: what kind of program, its kernel, and the declarations of all that the kernel came to use. */
#include "writer.h"
#include <stdio.h>
#include <string.h>

/* ---- what kind of program ---- */

static void choose_likes(writer *w) {
    static const uint8_t plain[PLAIN_COUNT] = {
        [PLAIN_ASSIGN] = 16, [PLAIN_DECLARE] = 14, [PLAIN_STORE] = 26,     [PLAIN_ATOMIC] = 10,
        [PLAIN_SPREAD] = 7,  [PLAIN_IF] = 12,      [PLAIN_FOR] = 6,        [PLAIN_WHILE] = 3,
        [PLAIN_NEST] = 2,    [PLAIN_ARRAY] = 2,    [PLAIN_LEAVE] = 3,      [PLAIN_BLOCK] = 2,
        [PLAIN_CALL] = 2,    [PLAIN_COPY] = 3,     [PLAIN_OWN_ATOMIC] = 4, [PLAIN_CHECK] = 4};
    static const uint8_t level[LEVEL_COUNT] = {
        [LEVEL_PLAIN] = 60,     [LEVEL_BARRIER] = 16, [LEVEL_CROSS] = 9,  [LEVEL_SET] = 7,
        [LEVEL_SHARED] = 6,     [LEVEL_IF] = 4,       [LEVEL_LOOP] = 6,   [LEVEL_GROUP] = 4,
        [LEVEL_FORALL] = 5,     [LEVEL_SWAP] = 3,     [LEVEL_REGION] = 2, [LEVEL_CONVERGED] = 1,
        [LEVEL_COLLECTIVE] = 1, [LEVEL_LOAD] = 2,     [LEVEL_CALL] = 2,   [LEVEL_COPY] = 2};
    static const uint8_t factors[] = {1, 1, 1, 1, 0, 2, 3};
    for (int i = 0; i < PLAIN_COUNT; i++) {
        w->plain_weights[i] = (uint8_t)(plain[i] * choose_of(w->choices, factors));
    }
    for (int i = 0; i < LEVEL_COUNT; i++) {
        w->level_weights[i] = (uint8_t)(level[i] * choose_of(w->choices, factors));
    }
    /* Something is always possible. */
    w->plain_weights[PLAIN_STORE] = w->plain_weights[PLAIN_STORE] / 2 + 8;
    w->plain_weights[PLAIN_ASSIGN] = w->plain_weights[PLAIN_ASSIGN] / 2 + 4;
    w->level_weights[LEVEL_PLAIN] = w->level_weights[LEVEL_PLAIN] / 2 + 20;
    w->likes_indices = choose_yes(w->choices, 40);
    w->likes_failing = choose_yes(w->choices, 8);
    if (w->kind != GENERATE_PLAIN) {
        w->likes_failing = false;
        w->plain_weights[PLAIN_OWN_ATOMIC] = 0;
    }
    static const unsigned limits[] = {6, 8, 5, 10, 4, 14};
    w->array_limit = choose_of(w->choices, limits);
    w->budget = 2 + (int)choose(w->choices, 15);
    if (choose_yes(w->choices, 4)) {
        w->budget = 40 + (int)choose(w->choices, 120);
    }
}

static void choose_size(writer *w) {
    uint32_t dice = choose(w->choices, 100);
    w->n = dice < 70   ? 1 + choose(w->choices, 24)
           : dice < 90 ? choose(w->choices, 71)
           : dice < 94 ? 0
           : dice < 97 ? 300 + choose(w->choices, 300)
                       : 64;
}

/* ---- the space ---- */

typedef struct shape {
    unsigned x, y, z;
} shape;

static shape choose_shape(writer *w) {
    static const shape lines[] = {{4, 1, 1},  {1, 1, 1},  {2, 1, 1},  {7, 1, 1},   {8, 1, 1},
                                  {16, 1, 1}, {32, 1, 1}, {48, 1, 1}, {256, 1, 1}, {64, 1, 1}};
    static const shape planes[] = {{4, 4, 1}, {3, 5, 1}, {8, 2, 1}, {1, 3, 1}, {2, 2, 1}};
    static const shape boxes[] = {{2, 3, 2}, {1, 2, 2}, {4, 1, 3}};
    return w->axes == 1   ? choose_of(w->choices, lines)
           : w->axes == 2 ? choose_of(w->choices, planes)
                          : choose_of(w->choices, boxes);
}

static uint32_t cover(uint32_t count, uint32_t group) {
    return (count + group - 1) / group;
}

static void one_item(writer *w, text *head) {
    (void)head;
    w->own_by_ids = "u32(0)";
    w->group = 1;
    w->groups = 1;
    w->total = w->n;
    (void)snprintf(w->total_text, SIZE_TEXT, "n");
}

static void items(writer *w, text *head, shape g) {
    static const char *const spaces[3] = {"(n)", "(n, 3)", "(n / 2 + 1, 2, 3)"};
    static const char *const totals[3] = {"n", "n * 3", "(n / 2 + 1) * 6"};
    uint32_t x = w->axes == 3 ? w->n / 2 + 1 : w->n;
    uint32_t y = w->axes == 1 ? 1 : w->axes == 2 ? 3 : 2;
    uint32_t z = w->axes == 3 ? 3 : 1;
    w->total = x * y * z;
    w->groups = cover(x, g.x) * cover(y, g.y) * cover(z, g.z);
    text_put(head, "%s", spaces[w->axes - 1]);
    (void)snprintf(w->total_text, SIZE_TEXT, "%s", totals[w->axes - 1]);
}

static void whole_groups(writer *w, text *head) {
    uint32_t x = w->n / 8 + (w->n == 0 ? 0 : 1);
    uint32_t others = w->axes == 1 ? 1 : 2;
    w->groups = x * others;
    w->total = w->groups * w->group;
    w->whole_groups = true;
    const char *count = w->n == 0 ? "n / 8" : "n / 8 + 1";
    text_put(head, "groups(%s%s)", count, w->axes == 1 ? "" : w->axes == 2 ? ", 2" : ", 1, 2");
    (void)snprintf(w->total_text, SIZE_TEXT, "(%s) * %u", count, (unsigned)(others * w->group));
}

static void indirect(writer *w, text *head) {
    uint32_t count = choose(w->choices, 4);
    w->groups = count * (w->axes == 1 ? 1 : 2);
    w->total = w->groups * w->group;
    w->whole_groups = true;
    uint32_t first = choose(w->choices, 3);
    text_put(head, "indirect(counts, %u)", (unsigned)first);
    (void)snprintf(w->total_text, SIZE_TEXT, "%u", (unsigned)w->total);
    w->counts[first] = count;
    w->counts[first + 1] = w->axes == 2 ? 2 : 1;
    w->counts[first + 2] = w->axes == 3 ? 2 : 1;
}

static void choose_space(writer *w, text *head) {
    static const uint8_t axes[] = {1, 1, 1, 1, 1, 2, 2, 3};
    w->axes = choose_of(w->choices, axes);
    uint32_t dice = choose(w->choices, 100);
    w->space = dice < 66 ? GF_SPACE_ITEMS : dice < 80 ? GF_SPACE_GROUPS : dice < 90 ? GF_SPACE_ONE : GF_SPACE_INDIRECT;
    w->one_group = w->kind == GENERATE_PLAIN && choose_yes(w->choices, 12);
    if (w->one_group) {
        w->space = GF_SPACE_ITEMS;
        w->axes = 1;
        w->n = w->n > 300 ? w->n % 300 : w->n;
        /* The checker does not count on there being one workgroup. */
        w->result->own_atomics = true;
    }
    if (w->axes > 1 && w->n > 40) {
        w->n = w->n % 40;
    }
    shape g = w->one_group ? (shape){300, 1, 1} : choose_shape(w);
    w->group = g.x * g.y * g.z;
    w->own_by_ids = w->axes == 1 ? "gid.x" : "gid.linear";
    switch (w->space) {
    case GF_SPACE_ONE:
        one_item(w, head);
        return;
    case GF_SPACE_ITEMS:
        items(w, head, g);
        break;
    case GF_SPACE_GROUPS:
        whole_groups(w, head);
        break;
    case GF_SPACE_INDIRECT:
        indirect(w, head);
        break;
    }
    text_put(head, " workgroup(%u", g.x);
    if (w->axes > 1) {
        text_put(head, ", %u", g.y);
    }
    if (w->axes > 2) {
        text_put(head, ", %u", g.z);
    }
    text_put(head, ")");
}

/* ---- the body ---- */

static bool is_own_number(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return !a->is_shared && is_writable(a) && gf_type_is_integer(a->type) && could_claim(w, index, USE_OWN, w->owner);
}

/* What makes passes end, or not: it settles, goes round in a cycle, or grows for ever. */
static void settle(writer *w) {
    size_t index = pick_array(w, is_own_number);
    if (!w->fixpoint || index == NO_ARRAY || !claim(w, index, USE_OWN, w->owner)) {
        return;
    }
    const char *name = w->arrays[index].name;
    text line = {0};
    text_put(&line, "%s[%s] ", name, w->own);
    switch (choose(w->choices, 5)) {
    case 0:
        text_put(&line, "= min(%s[%s] + 1, 5);", name, w->own);
        break;
    case 1:
        text_put(&line, "|= 1;");
        break;
    case 2:
        text_put(&line, "^= 1;");
        break;
    case 3:
        text_put(&line, "+= 1;");
        break;
    default:
        text_put(&line, "= max(%s[%s], 3);", name, w->own);
        break;
    }
    put_line(w, &line);
    text_free(&line);
}

static void write_body(writer *w) {
    w->to = &w->body;
    w->indent = 1;
    w->place = PLACE_GRID;
    w->turns = 1;
    w->owner = ++w->next_owner;
    w->own = w->own_by_ids;
    w->own_type = GF_TYPE_U32;
    bool wrong_first = w->kind == GENERATE_RACE && race(w);
    if (w->kind == GENERATE_RACE && !wrong_first) {
        w->kind = GENERATE_PLAIN;
    }
    if (w->space != GF_SPACE_ONE && choose_yes(w->choices, 50)) {
        put(w, "let own = %s;", w->own);
        local *own = add_local(w, "own", GF_TYPE_U32, GF_LEVEL_NONE, false);
        own->needed = true;
        w->own = "own";
    }
    for (unsigned i = choose(w->choices, 3); i > 0; i--) {
        (void)declare_local(w);
    }
    int at = w->kind == GENERATE_ORDER ? w->budget / 2 : -1000;
    while (w->budget > 0) {
        level_statement(w);
        if (w->kind == GENERATE_ORDER && at >= w->budget) {
            w->kind = depend_on_order(w) ? GENERATE_ORDER : GENERATE_PLAIN;
            at = -1000;
        }
    }
    w->budget = 3;
    settle(w);
    if (choose_yes(w->choices, 60)) {
        put_barrier(w);
        see_everything(w, w->local_count > 7 ? w->local_count - 7 : 0);
    }
    w->result->kind = w->kind;
}

/* ---- declarations ---- */

static const char *param_value(gf_type type) {
    static const char *const values[GF_TYPE_COUNT] = {
        [GF_TYPE_BOOL] = "true", [GF_TYPE_U32] = "11",  [GF_TYPE_I32] = "-7",   [GF_TYPE_U64] = "5000000000",
        [GF_TYPE_I64] = "-3",    [GF_TYPE_F32] = "1.5", [GF_TYPE_F64] = "-0.25"};
    return values[type];
}

static void declare_values(writer *w, text *args, text *out) {
    text_put(out, "param u32 n;\n");
    for (int t = 0; t < GF_TYPE_COUNT; t++) {
        const char *name = gf_type_name((gf_type)t);
        if (w->uses_const[t]) {
            text_put(out, "const %s K_%s = %s;\n", name, name, param_value((gf_type)t));
        }
        if (!w->uses_param[t]) {
            continue;
        }
        if (choose_yes(w->choices, 40)) {
            text_put(out, "param %s p_%s = %s;\n", name, name, param_value((gf_type)t));
        } else {
            text_put(out, "param %s p_%s;\n", name, name);
            text_put(args, " --set p_%s=%s", name, param_value((gf_type)t));
        }
    }
}

static void give_input(writer *w, text *args, const array *a) {
    static const char *const ranges[] = {"0:100", "0:5", "0:2", "0:70"};
    static const char *const reals[] = {"0:100", "-2:2", "0:1"};
    text_put(args, " --in %s=random:%u", a->name, (unsigned)choose(w->choices, 1000));
    if (choose_yes(w->choices, 85)) {
        text_put(args, ":%s", gf_type_is_float(a->type) ? choose_of(w->choices, reals) : choose_of(w->choices, ranges));
    }
    if (a->length == LENGTH_OPEN) {
        text_put(args, " --size %s=%u", a->name, (unsigned)a->elements);
    }
}

static void declare_array(writer *w, text *args, text *out, const array *a) {
    static const char *const roles[] = {"in", "inout", "out", "scratch"};
    text_put(out, "%s %s %s[%s]", a->is_shared ? "shared" : roles[a->role], gf_type_name(a->type), a->name, a->size);
    if (a->returns) {
        text_put(out, choose(w->choices, 2) != 0 ? " returns((%s) / 3 .. %s)" : " returns(%.0s0 .. (%s) / 2)", a->size,
                 a->size);
    }
    text_put(out, ";\n");
    if (!a->is_shared && (a->role == GF_ROLE_IN || a->role == GF_ROLE_INOUT)) {
        give_input(w, args, a);
    }
}

/* By the kernel itself, surely: a statement of it begins with the name. */
static bool is_written_by_kernel(const writer *w, const char *name) {
    size_t length = strlen(name);
    for (const char *at = text_get(&w->body); *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *begin = at + strspn(at, " ");
        bool by_atomic = strncmp(begin, "atomic_", 7) == 0;
        begin += by_atomic ? strcspn(begin, "(") + 1 : 0;
        if (strncmp(begin, name, length) == 0 && begin[length] == '[') {
            return true;
        }
    }
    return false;
}

static void write_fixpoint(writer *w, text *head) {
    static const char *const limits[] = {"2", "3", "4", "n % 3 + 1", "5"};
    if (!w->fixpoint) {
        return;
    }
    text_put(head, " fixpoint(%s)", choose_of(w->choices, limits));
    const char *before = " on (";
    bool listed = choose_yes(w->choices, 60);
    for (size_t i = 0; i < w->array_count && listed; i++) {
        const array *a = &w->arrays[i];
        if (!a->is_shared && is_writable(a) && choose_yes(w->choices, 40) && is_written_by_kernel(w, a->name)) {
            text_put(head, "%s%s", before, a->name);
            before = ", ";
        }
    }
    text_put(head, strcmp(before, ", ") == 0 ? ")" : "");
}

static void put_together(writer *w, text *head) {
    text args = {0};
    text decls = {0};
    text_put(&args, "//! args --set n=%u", (unsigned)w->n);
    declare_values(w, &args, &decls);
    if (w->space == GF_SPACE_INDIRECT) {
        text_put(&decls, "%s u32 counts[5];\n", choose(w->choices, 2) != 0 ? "in" : "inout");
        text_put(&args, " --in counts=%u,%u,%u,%u,%u", (unsigned)w->counts[0], (unsigned)w->counts[1],
                 (unsigned)w->counts[2], (unsigned)w->counts[3], (unsigned)w->counts[4]);
    }
    for (size_t i = 0; i < w->array_count; i++) {
        declare_array(w, &args, &decls, &w->arrays[i]);
    }
    text *out = &w->result->text;
    text_put(out, "%s\nprogram random;\n%s%skernel %s", text_get(&args), text_get(&decls), text_get(&w->functions),
             text_get(head));
    write_fixpoint(w, out);
    text_put(out, " {\n%s}\n", text_get(&w->body));
    text_free(&args);
    text_free(&decls);
}

void generate_program(choice_stream *choices, generate_kind kind, generated *out) {
    writer w = {.choices = choices, .result = out, .kind = kind};
    text head = {0};
    *out = (generated){.kind = kind};
    choose_likes(&w);
    choose_size(&w);
    choose_space(&w, &head);
    w.fixpoint = !w.one_group && choose_yes(choices, 22);
    write_body(&w);
    put_together(&w, &head);
    text_free(&head);
    text_free(&w.functions);
    text_free(&w.body);
}

void generated_free(generated *program) {
    text_free(&program->text);
}
