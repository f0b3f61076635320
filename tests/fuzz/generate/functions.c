/* Functions that hold no barrier: they compute, load, or store. Each is written where it is first called. */
#include "writer.h"
#include <stdio.h>

static bool may_call(const writer *w, const helper *f, gf_type gives, bool uniform) {
    if (f->gives != gives || (w->recording != NULL && (f->need_count != 0 || f->uses_ids || f->takes_own)) ||
        (f->uses_ids && (w->in_forall || w->space == GF_SPACE_ONE)) || (f->owner != 0 && f->owner != w->owner) ||
        (uniform && !f->is_uniform) || (f->takes_own && w->own_type != GF_TYPE_U32)) {
        return false;
    }
    for (size_t i = 0; i < f->need_count; i++) {
        if (!could_claim(w, f->needs[i].array, f->needs[i].use, f->needs[i].detail)) {
            return false;
        }
    }
    return true;
}

void step_aside(writer *w, aside *old) {
    *old = (aside){.to = w->to,
                   .indent = w->indent,
                   .plain_loops = w->plain_loops,
                   .depth = w->depth,
                   .local_count = w->local_count,
                   .in_function = w->in_function,
                   .in_head = w->in_head,
                   .gives = w->gives,
                   .own_type = w->own_type,
                   .own = w->own,
                   .budget = w->budget,
                   .place = w->place};
    for (size_t i = 0; i < w->local_count; i++) {
        old->out_of_reach[i] = w->locals[i].out_of_reach;
        w->locals[i].out_of_reach = true;
    }
    w->to = &w->functions;
    w->indent = 1;
    w->plain_loops = 0;
    w->depth += 2;
    w->in_function = true;
    open_scope(w);
}

void step_back(writer *w, const aside *old) {
    close_scope(w);
    w->to = old->to;
    w->indent = old->indent;
    w->plain_loops = old->plain_loops;
    w->depth = old->depth;
    w->in_function = old->in_function;
    w->in_head = old->in_head;
    w->gives = old->gives;
    w->own = old->own;
    w->own_type = old->own_type;
    w->budget = old->budget;
    w->place = old->place;
    /* A local too many takes the place of the last one. */
    for (size_t i = 0; i < old->local_count && i < w->local_count; i++) {
        w->locals[i].out_of_reach = old->out_of_reach[i];
    }
}

void name_function(writer *w, char name[NAME_SIZE]) {
    (void)snprintf(name, NAME_SIZE, "fn_%u", ++w->next_name);
}

static void write_pure_body(writer *w, const helper *f) {
    text line = {0};
    text_put(&line, "return ");
    write_expr(w, &line, (wish){.type = f->gives, .depth = 2, .uniform = GF_LEVEL_GRID});
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
}

static void write_body(writer *w, const helper *f) {
    unsigned count = 1 + choose(w->choices, 3);
    for (unsigned i = 0; i < count; i++) {
        plain_statement(w);
    }
    if (f->gives == GF_TYPE_NONE) {
        return;
    }
    text line = {0};
    text_put(&line, "return ");
    write_value(w, &line, f->gives);
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
}

static helper *make_helper(writer *w, gf_type gives, bool uniform) {
    if (w->helper_count == MOST_HELPERS || w->in_function || w->in_head) {
        return NULL;
    }
    helper *f = &w->helpers[w->helper_count];
    *f = (helper){.gives = gives, .is_uniform = uniform || choose_yes(w->choices, 30)};
    f->is_uniform = f->is_uniform && gives != GF_TYPE_NONE;
    name_function(w, f->name);
    f->argument_count = 1 + choose(w->choices, 2);
    f->takes_own = !f->is_uniform && w->own_type == GF_TYPE_U32;
    f->takes[0] = f->takes_own ? GF_TYPE_U32 : pick_type(w);
    f->takes[1] = pick_type(w);
    aside old;
    step_aside(w, &old);
    w->gives = gives;
    w->place = PLACE_PLAIN;
    w->recording = f;
    text head = {0};
    text_put(&head, "fn %s%s%s(", gives == GF_TYPE_NONE ? "" : gf_type_name(gives), gives == GF_TYPE_NONE ? "" : " ",
             f->name);
    char names[2][NAME_SIZE];
    for (size_t i = 0; i < f->argument_count; i++) {
        fresh_name(w, "x", names[i]);
        text_put(&head, "%s%s %s", i == 0 ? "" : ", ", gf_type_name(f->takes[i]), names[i]);
        add_local(w, names[i], f->takes[i], f->is_uniform ? GF_LEVEL_GRID : GF_LEVEL_NONE, false)->needed =
            f->takes_own && i == 0;
    }
    text_put(&head, ") {\n");
    text_add(&w->functions, text_get(&head), head.length);
    text_free(&head);
    w->own = f->takes_own ? names[0] : "7";
    w->own_type = f->takes_own ? GF_TYPE_U32 : GF_TYPE_NONE;
    if (f->is_uniform) {
        write_pure_body(w, f);
    } else {
        write_body(w, f);
    }
    text_put(&w->functions, "}\n");
    step_back(w, &old);
    w->recording = NULL;
    w->helper_count++;
    return f;
}

static helper *find_helper(writer *w, gf_type gives, bool uniform) {
    for (size_t i = 0; i < w->helper_count; i++) {
        if (may_call(w, &w->helpers[i], gives, uniform) && choose_yes(w->choices, 70)) {
            return &w->helpers[i];
        }
    }
    return w->recording == NULL ? make_helper(w, gives, uniform) : NULL;
}

static void write_arguments(writer *w, text *to, const helper *f, gf_level uniform) {
    text_put(to, "%s(", f->name);
    for (size_t i = 0; i < f->argument_count; i++) {
        text_put(to, i == 0 ? "" : ", ");
        if (i == 0 && f->takes_own) {
            text_put(to, "%s", w->own);
        } else {
            write_expr(w, to, (wish){.type = f->takes[i], .depth = 1, .uniform = uniform});
        }
    }
    text_put(to, ")");
}

static void claim_needs(writer *w, const helper *f) {
    for (size_t i = 0; i < f->need_count; i++) {
        (void)claim(w, f->needs[i].array, f->needs[i].use, f->needs[i].detail);
    }
}

bool write_call(writer *w, text *to, wish want) {
    const helper *f = find_helper(w, want.type, want.uniform != GF_LEVEL_NONE);
    if (f == NULL) {
        return false;
    }
    claim_needs(w, f);
    write_arguments(w, to, f, want.uniform);
    return true;
}

bool call_for_effect(writer *w) {
    const helper *f = find_helper(w, GF_TYPE_NONE, false);
    if (f == NULL) {
        return false;
    }
    claim_needs(w, f);
    text line = {0};
    write_arguments(w, &line, f, GF_LEVEL_NONE);
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
    return true;
}
