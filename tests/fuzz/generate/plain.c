/* Statements of one invocation by itself. */
#include "writer.h"
#include <stdarg.h>

void put_line(writer *w, text *line) {
    for (unsigned i = 0; i < w->indent; i++) {
        text_add(w->to, "    ", 4);
    }
    text_add(w->to, text_get(line), line->length);
    text_add(w->to, "\n", 1);
    text_clear(line);
}

void put(writer *w, const char *format, ...) {
    text line = {0};
    va_list list;
    va_start(list, format);
    text_put_list(&line, format, list);
    va_end(list);
    put_line(w, &line);
    text_free(&line);
}

void open_block(writer *w, text *head) {
    text_put(head, "%s", head->length > 0 ? " {" : "{");
    put_line(w, head);
    w->indent++;
    w->depth++;
    open_scope(w);
}

void close_block(writer *w) {
    close_scope(w);
    w->depth--;
    w->indent--;
    put(w, "}");
}

void plain_block(writer *w, unsigned most) {
    unsigned count = 1 + choose(w->choices, most);
    for (unsigned i = 0; i < count; i++) {
        plain_statement(w);
    }
}

/* ---- locals ---- */

bool declare_local(writer *w) {
    text line = {0};
    char name[NAME_SIZE];
    gf_type type = pick_type(w);
    if (choose_yes(w->choices, 12)) {
        static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_F32, GF_TYPE_U64,
                                        GF_TYPE_U8,  GF_TYPE_I16, GF_TYPE_F16, GF_TYPE_BOOL};
        type = choose_of(w->choices, types);
        fresh_name(w, "p", name);
        uint32_t length = 1 + choose(w->choices, 6);
        put(w, "var %s %s[%u];", gf_type_name(type), name, (unsigned)length);
        add_local(w, name, type, GF_LEVEL_NONE, true)->length = length;
        return true;
    }
    bool is_let = choose_yes(w->choices, 50);
    text value = {0};
    write_expr(w, &value, (wish){.type = type, .depth = 1 + choose(w->choices, 3), .anchored = is_let});
    fresh_name(w, is_let ? "t" : "v", name);
    if (is_let) {
        text_put(&line, "let %s = %s;", name, text_get(&value));
    } else if (choose_yes(w->choices, 90)) {
        text_put(&line, "var %s %s = %s;", gf_type_name(type), name, text_get(&value));
    } else {
        text_put(&line, "var %s %s;", gf_type_name(type), name);
    }
    put_line(w, &line);
    add_local(w, name, type, GF_LEVEL_NONE, !is_let);
    text_free(&value);
    text_free(&line);
    return true;
}

static bool is_assignable(const writer *w, const local *l, gf_type type) {
    (void)w;
    (void)type;
    return l->assignable && l->uniform == GF_LEVEL_NONE && !l->needed;
}

bool assign_local(writer *w) {
    const local *found = pick_local(w, GF_TYPE_NONE, is_assignable);
    if (found == NULL) {
        return false;
    }
    const local target = *found; /* names may be added while the value is written */
    text line = {0};
    gf_type type = gf_type_loaded(target.type);
    text_put(&line, "%s", target.name);
    if (target.length != 0) {
        text_put(&line, "[");
        write_below(w, &line, target.length);
        text_put(&line, "]");
    }
    write_update(w, &line, type, GF_LEVEL_NONE);
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
    return true;
}

/* ---- ifs, blocks, ways out ---- */

static bool plain_if(writer *w) {
    text head = {0};
    text_put(&head, "if ");
    write_condition(w, &head);
    open_block(w, &head);
    plain_block(w, 2);
    close_block(w);
    while (choose_yes(w->choices, 35)) {
        bool again = choose_yes(w->choices, 25);
        text_put(&head, again ? "else if " : "else");
        if (again) {
            write_condition(w, &head);
        }
        open_block(w, &head);
        plain_block(w, 2);
        close_block(w);
        if (!again) {
            break;
        }
    }
    text_free(&head);
    return true;
}

static bool plain_in_block(writer *w) {
    text head = {0};
    if (choose_yes(w->choices, 60)) {
        text_put(&head, "region \"r%u\"", ++w->next_name);
    }
    open_block(w, &head);
    plain_block(w, 3);
    close_block(w);
    text_free(&head);
    return true;
}

static void write_leaving(writer *w) {
    text line = {0};
    if (w->plain_loops > 0 && choose_yes(w->choices, 75)) {
        text_put(&line, "%s;", choose(w->choices, 2) != 0 ? "break" : "continue");
    } else if (w->in_forall && !w->in_function) {
        text_put(&line, w->plain_loops > 0 ? "break;" : "continue;");
    } else if (w->in_function && w->gives != GF_TYPE_NONE) {
        text_put(&line, "return ");
        write_value(w, &line, w->gives);
        text_put(&line, ";");
    } else {
        text_put(&line, "return;");
        w->returned |= !w->in_function;
    }
    put_line(w, &line);
    text_free(&line);
}

static bool leave(writer *w) {
    /* A function that holds a barrier has no way out; what one that is written anew does to its caller is not seen. */
    if (w->in_function && w->recording == NULL) {
        return false;
    }
    text head = {0};
    text_put(&head, "if ");
    write_condition(w, &head);
    open_block(w, &head);
    if (choose_yes(w->choices, 40)) {
        plain_block(w, 2);
    }
    write_leaving(w);
    close_block(w);
    text_free(&head);
    return true;
}

/* ---- asserts and traps ---- */

static bool check_something(writer *w) {
    if (!w->likes_failing) {
        return false;
    }
    text line = {0};
    if (choose_yes(w->choices, 60)) {
        text_put(&line, "assert(");
        write_expr(w, &line, (wish){.type = GF_TYPE_U32, .depth = 2, .anchored = true});
        text_put(&line, " != %u, \"check %u\");", (unsigned)choose(w->choices, 60), ++w->next_name);
    } else {
        text_put(&line, "if ");
        write_expr(w, &line, (wish){.type = GF_TYPE_U32, .depth = 2, .anchored = true});
        text_put(&line, " == %u", (unsigned)choose(w->choices, 60));
        open_block(w, &line);
        text_put(&line, "trap(\"trap %u\", ", ++w->next_name);
        write_expr(w, &line, (wish){.type = pick_integer(w), .depth = 1, .anchored = true});
        text_put(&line, ");");
        put_line(w, &line);
        close_block(w);
    }
    if (line.length > 0) {
        put_line(w, &line);
    }
    text_free(&line);
    return true;
}

/* ---- which one ---- */

static bool write_kind(writer *w, plain_kind kind) {
    switch (kind) {
    case PLAIN_ASSIGN:
        return assign_local(w);
    case PLAIN_DECLARE:
        return declare_local(w);
    case PLAIN_STORE:
        return store_somewhere(w);
    case PLAIN_ATOMIC:
        return update_atomic(w);
    case PLAIN_SPREAD:
        return spread_stores(w);
    case PLAIN_IF:
        return plain_if(w);
    case PLAIN_FOR:
        return plain_for(w);
    case PLAIN_WHILE:
        return plain_while(w);
    case PLAIN_NEST:
        return loop_nest(w);
    case PLAIN_ARRAY:
        return fill_local_array(w);
    case PLAIN_LEAVE:
        return leave(w);
    case PLAIN_BLOCK:
        return plain_in_block(w);
    case PLAIN_CALL:
        return call_for_effect(w);
    case PLAIN_COPY:
        return copy_and_wait(w);
    case PLAIN_OWN_ATOMIC:
        return use_own_atomic(w);
    case PLAIN_CHECK:
        return check_something(w);
    case PLAIN_COUNT:
        break;
    }
    return false;
}

void plain_statement(writer *w) {
    uint8_t weights[PLAIN_COUNT];
    bool deep = w->depth > 5 || w->budget <= 0;
    for (int kind = 0; kind < PLAIN_COUNT; kind++) {
        bool nests = kind >= PLAIN_IF && kind <= PLAIN_BLOCK && kind != PLAIN_LEAVE;
        weights[kind] = nests && deep ? 0 : w->plain_weights[kind];
    }
    w->budget--;
    for (int tries = 0; tries < 4; tries++) {
        if (write_kind(w, (plain_kind)choose_weighted(w->choices, weights, PLAIN_COUNT))) {
            return;
        }
    }
    (void)(assign_local(w) || declare_local(w));
}
