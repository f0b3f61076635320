/* PTX text into steps. */
#include "ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINE 256

typedef struct label {
    char name[32];
    uint32_t step;
} label;

typedef struct reading {
    fake_ptx *module;
    ptx_function *function;
    label *labels;
    size_t label_count;
    struct {
        uint32_t step;
        char name[32];
    } * jumps;
    size_t jump_count;
    uint32_t line;
    char *why;
    size_t why_size;
    bool failed;
} reading;

static void fail(reading *r, const char *what, const char *text) {
    if (!r->failed) {
        (void)snprintf(r->why, r->why_size, "line %u: %s: %.80s", (unsigned)r->line, what, text);
    }
    r->failed = true;
}

static void *grow(void *items, size_t count, size_t size) {
    if ((count & (count - 1)) != 0) {
        return items;
    }
    void *grown = realloc(items, (count == 0 ? 1 : 2 * count) * size);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

/* ---- variables ---- */

static const ptx_variable *find_in(const ptx_variable *variables, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(variables[i].name) == length && strncmp(variables[i].name, name, length) == 0) {
            return &variables[i];
        }
    }
    return NULL;
}

static const ptx_variable *find_variable(const reading *r, const char *name, size_t length) {
    const ptx_variable *found = NULL;
    if (r->function != NULL) {
        found = find_in(r->function->variables, r->function->variable_count, name, length);
    }
    return found != NULL ? found : find_in(r->module->variables, r->module->variable_count, name, length);
}

/* ".shared .align 16 .b8 gf_sync[8576]": the last word, and the type before it. */
static void read_variable(reading *r, const char *text, ptx_space space) {
    ptx_variable v = {.space = space, .is_extern = strncmp(text, ".extern", 7) == 0};
    const char *name = strrchr(text, ' ');
    const char *dot = name;
    while (dot != NULL && dot > text && *dot != '.') {
        dot--;
    }
    if (name == NULL || dot == text) {
        fail(r, "no variable", text);
        return;
    }
    size_t length = strcspn(++name, "[;,)");
    (void)snprintf(v.name, sizeof v.name, "%.*s", (int)length, name);
    uint64_t count = name[length] == '[' ? strtoull(name + length + 1, NULL, 10) : 1;
    v.bytes = count * strtoull(dot + 2, NULL, 10) / 8;
    ptx_function *f = r->function;
    uint64_t *end = f == NULL             ? NULL
                    : space == PTX_SHARED ? &f->shared_bytes
                    : space == PTX_LOCAL  ? &f->local_bytes
                                          : &f->param_bytes;
    if (end != NULL) {
        v.offset = (*end + 15) / 16 * 16;
        *end = v.offset + v.bytes;
    }
    if (f != NULL && f->variable_count < sizeof f->variables / sizeof *f->variables) {
        f->variables[f->variable_count++] = v;
    } else if (f == NULL && r->module->variable_count < sizeof r->module->variables / sizeof *r->module->variables) {
        r->module->variables[r->module->variable_count++] = v;
    } else {
        fail(r, "too many variables", text);
    }
}

/* ---- operands ---- */

static bool read_register(const reading *r, const char *text, uint32_t *index) {
    static const char *const names[] = {"p", "r", "rd", "f", "d", "h"};
    size_t length = strcspn(text + 1, "0123456789");
    for (int i = 0; text[0] == '%' && i < 6; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], text + 1, length) == 0) {
            *index = r->function->first[i] + (uint32_t)strtoul(text + 1 + length, NULL, 10);
            return *index < r->function->registers;
        }
    }
    return false;
}

static void read_operand(reading *r, const char *text, ptx_operand *operand) {
    static const char *const specials[] = {"%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x", "%laneid", "%clock"};
    *operand = (ptx_operand){.kind = PTX_NUMBER};
    if (text[0] == '%') {
        for (uint64_t i = 0; i < sizeof specials / sizeof *specials; i++) {
            if (strcmp(text, specials[i]) == 0) {
                *operand = (ptx_operand){.kind = PTX_SPECIAL, .number = i};
                return;
            }
        }
        operand->kind = PTX_REGISTER;
        if (!read_register(r, text, &operand->index)) {
            fail(r, "no register", text);
        }
        return;
    }
    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'd')) {
        operand->number = strtoull(text + 2, NULL, 16);
        return;
    }
    if (text[0] == '-') {
        operand->number = (uint64_t)strtoll(text, NULL, 0);
        return;
    }
    if (text[0] >= '0' && text[0] <= '9') {
        operand->number = strtoull(text, NULL, 0);
        return;
    }
    const ptx_variable *v = find_variable(r, text, strlen(text));
    if (v == NULL) {
        fail(r, "no variable of that name", text);
        return;
    }
    /* What the launch gives lies behind what the function has. */
    operand->number = v->is_extern ? (r->function->shared_bytes + 15) / 16 * 16 : v->offset;
}

/* "[%rd1+8]" */
static void read_address(reading *r, const char *text, ptx_step *step) {
    char base[64];
    size_t length = strcspn(text + 1, "+]");
    (void)snprintf(base, sizeof base, "%.*s", (int)length, text + 1);
    read_operand(r, base, &step->address);
    step->offset = text[1 + length] == '+' ? strtoll(text + 2 + length, NULL, 0) : 0;
}

/* Operands behind the name; those in braces are one behind the other, and count as `vector`. */
static void read_operands(reading *r, char *text, ptx_step *step) {
    bool in_braces = false;
    uint32_t braced = 0;
    for (char *at = text; *at != '\0' && !r->failed;) {
        at += strspn(at, " ,;");
        if (*at == '{' || *at == '}') {
            in_braces = *at == '{';
            step->braces_first |= in_braces && step->count == 0;
            at++;
            continue;
        }
        size_t length = *at == '[' ? strcspn(at, "]") + 1 : strcspn(at, " ,;{}");
        if (length == 0) {
            break;
        }
        char word[96];
        (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length;
        if (word[0] == '[') {
            read_address(r, word, step);
        } else if (step->count == 8) {
            fail(r, "too many operands", text);
        } else {
            read_operand(r, word, &step->operands[step->count++]);
            braced += in_braces;
        }
    }
    step->vector = braced > 0 ? braced : 1;
}

/* ---- names ---- */

static const struct {
    const char *name;
    ptx_op op;
} ops[] = {{"abs", PTX_ABS},      {"add", PTX_ADD},
           {"and", PTX_AND},      {"atom", PTX_ATOM},
           {"red", PTX_ATOM},     {"bra", PTX_BRA},
           {"brev", PTX_BREV},    {"call", PTX_CALL},
           {"clz", PTX_CLZ},      {"cvt", PTX_CVT},
           {"cvta", PTX_CVTA},    {"div", PTX_DIV},
           {"fma", PTX_FMA},      {"ld", PTX_LD},
           {"mad", PTX_MAD},      {"max", PTX_MAX},
           {"min", PTX_MIN},      {"mov", PTX_MOV},
           {"mul", PTX_MUL},      {"neg", PTX_NEG},
           {"not", PTX_NOT},      {"or", PTX_OR},
           {"popc", PTX_POPC},    {"rem", PTX_REM},
           {"ret", PTX_RET},      {"selp", PTX_SELP},
           {"setp", PTX_SETP},    {"shf", PTX_SHF},
           {"shfl", PTX_SHFL},    {"shl", PTX_SHL},
           {"shr", PTX_SHR},      {"sqrt", PTX_SQRT},
           {"st", PTX_ST},        {"sub", PTX_SUB},
           {"vote", PTX_VOTE},    {"xor", PTX_XOR},
           {"bar", PTX_BAR_SYNC}, {"griddepcontrol", PTX_GRID_WAIT}};

static const struct {
    const char *name;
    ptx_how how;
} hows[] = {{"lo", PTX_LO},      {"hi", PTX_HI},      {"wide", PTX_WIDE},     {"rn", PTX_RN},
            {"rzi", PTX_RZI},    {"rni", PTX_RNI},    {"rmi", PTX_RMI},       {"rpi", PTX_RPI},
            {"eq", PTX_EQ},      {"ne", PTX_NE},      {"lt", PTX_LT},         {"le", PTX_LE},
            {"gt", PTX_GT},      {"ge", PTX_GE},      {"neu", PTX_NEU},       {"nan", PTX_NAN},
            {"add", PTX_DO_ADD}, {"min", PTX_DO_MIN}, {"max", PTX_DO_MAX},    {"and", PTX_DO_AND},
            {"or", PTX_DO_OR},   {"xor", PTX_DO_XOR}, {"exch", PTX_DO_EXCH},  {"cas", PTX_DO_CAS},
            {"l", PTX_LEFT},     {"r", PTX_RIGHT},    {"up", PTX_UP},         {"down", PTX_DOWN},
            {"bfly", PTX_BFLY},  {"idx", PTX_IDX},    {"ballot", PTX_BALLOT}, {"any", PTX_ANY}};

static bool read_type(const char *word, ptx_type *type) {
    if (strcmp(word, "pred") == 0) {
        *type = (ptx_type){0, 'p'};
        return true;
    }
    unsigned long bits = strchr("busf", word[0]) != NULL ? strtoul(word + 1, NULL, 10) : 0;
    if (bits < 8) {
        return false;
    }
    *type = (ptx_type){(uint8_t)(bits / 8), word[0]};
    return true;
}

static bool read_space(const char *word, ptx_space *space) {
    static const char *const names[] = {"global", "shared", "local", "const", "param"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(names[i], word) == 0) {
            *space = (ptx_space)(PTX_GLOBAL + i);
            return true;
        }
    }
    return false;
}

static void read_word(reading *r, const char *word, ptx_step *step, int *types) {
    enum { STRONG = 4 }; /* of the first ones */
    static const char *const known[] = {"relaxed", "acquire", "release", "acq_rel", "gpu", "sys",  "cta",      "nc",
                                        "cs",      "v2",      "v4",      "sync",    "uni", "wrap", "volatile", "to"};
    ptx_type type;
    if (read_type(word, &type)) {
        *((*types)++ == 0 ? &step->type : &step->from) = type;
        return;
    }
    if (read_space(word, &step->space)) {
        return;
    }
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
        if (strcmp(hows[i].name, word) == 0) {
            step->how = hows[i].how;
            return;
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], word) == 0) {
            step->is_acquire |= step->op == PTX_LD && strcmp(word, "acquire") == 0;
            step->is_strong |= i < STRONG;
            step->is_constant |= strcmp(word, "nc") == 0;
            return;
        }
    }
    if (step->op == PTX_BAR_SYNC && strcmp(word, "warp") == 0) {
        step->op = PTX_BAR_WARP;
    } else if (step->op == PTX_BAR_SYNC && strcmp(word, "red") == 0) {
        step->op = PTX_BAR_RED;
    } else if (step->op != PTX_GRID_WAIT || strcmp(word, "wait") != 0) {
        fail(r, "not understood", word);
    }
}

static void read_name(reading *r, char *name, ptx_step *step) {
    char *rest = name;
    const char *word = strtok_r(rest, ".", &rest);
    bool found = false;
    int types = 0;
    for (size_t i = 0; word != NULL && i < sizeof ops / sizeof *ops; i++) {
        if (strcmp(ops[i].name, word) == 0) {
            step->op = ops[i].op;
            found = true;
        }
    }
    step->has_result = word != NULL && strcmp(word, "atom") == 0;
    if (!found) {
        fail(r, "no instruction", name);
        return;
    }
    while ((word = strtok_r(rest, ".", &rest)) != NULL) {
        read_word(r, word, step, &types);
    }
    step->is_signed = step->type.kind == 's';
}

/* ---- lines ---- */

static void add_step(reading *r, const ptx_step *step) {
    ptx_function *f = r->function;
    f->steps = grow(f->steps, f->step_count, sizeof *f->steps);
    f->steps[f->step_count++] = *step;
}

static void read_instruction(reading *r, char *text) {
    ptx_step step = {.line = r->line};
    if (*text == '@') {
        step.has_guard = true;
        step.guard_not = text[1] == '!';
        char *name = text + 1 + step.guard_not;
        size_t length = strcspn(name, " ");
        char *next = name + length + (name[length] == ' ');
        name[length] = '\0';
        if (!read_register(r, name, &step.guard)) {
            fail(r, "no register", name);
        }
        text = next;
    }
    size_t length = strcspn(text, " ;");
    char *operands = text + length + (text[length] != '\0');
    text[length] = '\0';
    read_name(r, text, &step);
    if (step.op == PTX_BRA) {
        r->jumps = grow(r->jumps, r->jump_count, sizeof *r->jumps);
        r->jumps[r->jump_count].step = (uint32_t)r->function->step_count;
        (void)snprintf(r->jumps[r->jump_count++].name, sizeof r->jumps->name, "%.*s", (int)strcspn(operands, ";"),
                       operands);
    } else if (step.op == PTX_CALL) {
        const ptx_variable *flag = find_variable(r, "gf_flag", 7), *go = find_variable(r, "gf_go", 5);
        if (strncmp(operands, "cudaGraphSetConditional", 23) != 0 || flag == NULL || go == NULL) {
            fail(r, "no such function", operands);
            return;
        }
        step.address.number = flag->offset;
        step.offset = (int64_t)go->offset;
    } else {
        read_operands(r, operands, &step);
    }
    add_step(r, &step);
}

static void read_registers(reading *r, const char *text) {
    static const char *const names[] = {"%p<", "%r<", "%rd<", "%f<", "%d<", "%h<"};
    for (int i = 0; i < 6; i++) {
        const char *at = strstr(text, names[i]);
        if (at != NULL) {
            r->function->first[i] = r->function->registers;
            r->function->registers += (uint32_t)strtoul(at + strlen(names[i]), NULL, 10);
        }
    }
}

static void read_label(reading *r, const char *text) {
    r->labels = grow(r->labels, r->label_count, sizeof *r->labels);
    (void)snprintf(r->labels[r->label_count].name, sizeof r->labels->name, "%.*s", (int)strcspn(text, ":"), text);
    r->labels[r->label_count++].step = (uint32_t)r->function->step_count;
}

static void begin_function(reading *r, const char *text) {
    fake_ptx *m = r->module;
    m->functions = grow(m->functions, m->function_count, sizeof *m->functions);
    r->function = &m->functions[m->function_count++];
    memset(r->function, 0, sizeof *r->function);
    r->function->most_threads = 1024;
    r->label_count = r->jump_count = 0;
    const char *name = strstr(text, ".entry ") + 7;
    (void)snprintf(r->function->name, sizeof r->function->name, "%.*s", (int)strcspn(name, "("), name);
    const char *param = strstr(text, ".param");
    if (param != NULL) {
        read_variable(r, param, PTX_PARAM);
    }
    r->function->given_bytes = r->function->param_bytes;
}

static void end_function(reading *r) {
    for (size_t i = 0; i < r->jump_count; i++) {
        bool found = false;
        for (size_t k = 0; k < r->label_count; k++) {
            if (strcmp(r->labels[k].name, r->jumps[i].name) == 0) {
                r->function->steps[r->jumps[i].step].target = r->labels[k].step;
                found = true;
            }
        }
        if (!found) {
            fail(r, "no such label", r->jumps[i].name);
        }
    }
    add_step(r, &(ptx_step){.op = PTX_RET, .line = r->line});
    r->function = NULL;
}

/* "{ .param .b64 gf_flag; .param .b32 gf_go;" begins a call: its parameters are variables. */
static void read_line(reading *r, char *text) {
    text += strspn(text, " \t");
    if (*text == '{' && text[1] == ' ') {
        char *rest = text + 2, *part;
        while ((part = strtok_r(rest, ";", &rest)) != NULL) {
            part += strspn(part, " ");
            if (find_variable(r, strrchr(part, ' ') + 1, strlen(strrchr(part, ' ') + 1)) == NULL) {
                read_variable(r, part, PTX_PARAM);
            }
        }
        return;
    }
    if (*text == '\0' || *text == '{' || strncmp(text, "//", 2) == 0) {
        return;
    }
    if (*text == '}') {
        end_function(r);
    } else if (strncmp(text, ".visible .entry", 15) == 0) {
        begin_function(r, text);
    } else if (strncmp(text, ".maxntid", 8) == 0) {
        r->function->most_threads = (unsigned)strtoul(text + 8, NULL, 10);
    } else if (strncmp(text, ".reg", 4) == 0) {
        read_registers(r, text);
    } else if (strncmp(text, ".const", 6) == 0) {
        read_variable(r, text, PTX_CONST);
    } else if (strncmp(text, ".shared", 7) == 0 || strncmp(text, ".extern .shared", 15) == 0) {
        read_variable(r, text, PTX_SHARED);
    } else if (strncmp(text, ".local", 6) == 0) {
        read_variable(r, text, PTX_LOCAL);
    } else if (*text == '$') {
        read_label(r, text);
    } else if (*text != '.') {
        read_instruction(r, text);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to by `fail` */
fake_ptx *fake_ptx_read(const char *text, char *why, size_t size) {
    reading r = {.why = why, .why_size = size};
    r.module = calloc(1, sizeof *r.module);
    if (r.module == NULL) {
        abort();
    }
    while (*text != '\0' && !r.failed) {
        char line[MOST_LINE];
        size_t length = strcspn(text, "\n");
        (void)snprintf(line, sizeof line, "%.*s", (int)length, text);
        r.line++;
        read_line(&r, line);
        text += length + (text[length] == '\n');
    }
    free(r.labels);
    free(r.jumps);
    if (r.failed) {
        fake_ptx_free(r.module);
        return NULL;
    }
    return r.module;
}

void fake_ptx_free(fake_ptx *module) {
    for (size_t i = 0; module != NULL && i < module->function_count; i++) {
        free(module->functions[i].steps);
    }
    if (module != NULL) {
        free(module->functions);
        free(module->text);
    }
    free(module);
}

const ptx_function *fake_ptx_find(const fake_ptx *module, const char *name) {
    for (size_t i = 0; i < module->function_count; i++) {
        if (strcmp(module->functions[i].name, name) == 0) {
            return &module->functions[i];
        }
    }
    return NULL;
}
