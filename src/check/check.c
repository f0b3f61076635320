/* The order of the checks, and how they report. */
#include "check/checker.h"
#include "ir/eval.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

bool gf_check_fail(checker *c, gf_code code, gf_span span, const char *format, ...) {
    char message[1024];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    c->errors++;
    return gf_fail(c->diags, code, span, "%s", message);
}

#define TEXT_SHOWN 48

const char *gf_check_text(checker *c, gf_span span) {
    if (span.source == NULL || span.length == 0 || span.offset > span.source->length ||
        span.length > span.source->length - span.offset) {
        return "";
    }
    char shown[TEXT_SHOWN + 4];
    size_t used = 0;
    bool space = false;
    const char *text = span.source->text + span.offset;
    for (uint32_t i = 0; i < span.length && used < TEXT_SHOWN; i++) {
        bool is_space = text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
        if (is_space && space) {
            continue;
        }
        shown[used] = text[i];
        if (is_space) {
            shown[used] = ' ';
        }
        used++;
        space = is_space;
    }
    for (unsigned dots = 0; used >= TEXT_SHOWN && dots < 3; dots++) {
        shown[used++] = '.';
    }
    return gf_arena_string(c->arena, shown, used);
}

const char *gf_check_operand_text(checker *c, const gf_expr *expr) {
    bool is_infix = expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR ||
                    (expr->kind == GF_EXPR_OP && gf_op_form(expr->op) == GF_FORM_INFIX);
    const char *text = gf_check_text(c, expr->span);
    return is_infix ? gf_arena_format(c->arena, "(%s)", text) : text;
}

void gf_check_note_site(checker *c, const call_site *site) {
    for (unsigned i = 0; site != NULL && i < 4; site = site->outer, i++) {
        gf_note(c->diags, site->span, "in `%s`, which is called here", site->function);
    }
}

static bool refuse_size(checker *c, gf_span span) {
    if (!c->too_large) {
        c->too_large = true;
        gf_check_fail(c, GF_CODE_TOO_LARGE, span,
                      "the program has more than %d statements and expressions once its "
                      "functions are inlined",
                      GF_CHECK_NODES);
        gf_fix(c->diags, "call functions at fewer places");
    }
    return false;
}

bool gf_check_count_node(checker *c, gf_span span) {
    c->expanded++;
    return ++c->nodes <= GF_CHECK_NODES && c->expanded <= GF_CHECK_NODES ? true : refuse_size(c, span);
}

/* Each function counted stays within the limit, so the sum cannot wrap. */
bool gf_check_count_call(checker *c, gf_span span, const check_symbol *function) {
    c->expanded += function->expanded;
    return c->expanded <= GF_CHECK_NODES ? true : refuse_size(c, span);
}

typedef struct check_job {
    gf_program *program;
    gf_diags *diags;
    bool right;
} check_job;

static void run_checks(void *context) {
    check_job *job = context;
    checker *c = gf_new(job->program->arena, checker);
    c->arena = job->program->arena;
    c->diags = job->diags;
    c->parsed = job->program->parsed;
    c->tree = gf_new(c->arena, gf_tree);
    c->tree->name = c->parsed->name;
    c->tree->trivia = c->parsed->trivia;
    c->tree->end_comments = c->parsed->end_comments;

    gf_check_names_start(c);
    gf_check_declarations(c);
    gf_check_kernel_head(c);
    gf_check_functions(c);
    if (!c->too_large) {
        gf_check_scope_open(c);
        c->tree->kernel.body = gf_check_block(c, c->parsed->kernel.body);
        gf_check_scope_close(c);
    }
    gf_check_kernel_rules(c);
    if (c->errors == 0) {
        gf_check_levels(c);
    }
    if (c->errors == 0) {
        gf_check_warnings(c);
        c->tree->symbol_count = (uint32_t)c->symbols.count;
        job->program->checked = c->tree;
        job->right = true;
    }
}

bool gf_check(gf_program *program, gf_diags *diags) {
    if (program == NULL || program->parsed == NULL) {
        return false;
    }
    /* Numbers are read with a point and rounded to nearest, whatever the caller's thread has set. */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return gf_fail_memory(diags);
    }
    locale_t before = uselocale(plain);
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    check_job job = {.program = program, .diags = diags};
    bool had_memory = gf_arena_protect(program->arena, run_checks, &job);
    gf_float_mode_leave(&mode);
    (void)uselocale(before);
    freelocale(plain);
    if (!had_memory) {
        program->checked = NULL;
        return gf_fail_memory(diags);
    }
#ifndef NDEBUG
    job.right = job.right && gf_validate(program->checked, diags);
#endif
    if (!job.right) {
        program->checked = NULL;
    }
    return job.right;
}
