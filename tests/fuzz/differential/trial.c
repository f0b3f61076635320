#include "trial.h"
#include "data.h"
#include "io/number.h"
#include "ir/program.h"
#include "ir/visit.h"
#include <stdlib.h>
#include <string.h>

const char *verdict_name(trial_verdict verdict) {
    static const char *const names[] = {"same",
                                        "invalid",
                                        "other data",
                                        "other passes",
                                        "other message",
                                        "fails",
                                        "a race is seen",
                                        "something is not seen",
                                        "order matters",
                                        "crash",
                                        "hang"};
    return names[verdict];
}

/* ---- devices ---- */

static gf_device *open_device(const char *name, unsigned threads, gf_diags *diags) {
    gf_device_options options = {.threads = threads, .no_cache = true};
    gf_device *device = gf_device_open_with(name, &options, diags);
    if (device == NULL) {
        gf_diags_print(diags, stderr);
    }
    gf_diags_clear(diags);
    return device;
}

bool devices_open(device_set *to, const char *name) {
    gf_diags *diags = gf_diags_create();
    *to = (device_set){.name = name, .interpreter = open_device("interp", 0, diags)};
    bool cpu = name != NULL && strcmp(name, "cpu") == 0;
    if (name != NULL) {
        static const unsigned team_sizes[] = {2, 1, 4};
        for (size_t i = 0; i < (cpu ? 3 : 1); i++) {
            to->others[i] = open_device(name, cpu ? team_sizes[i] : 0, diags);
        }
    }
    gf_diags_destroy(diags);
    return to->interpreter != NULL && (name == NULL || to->others[0] != NULL);
}

void devices_close(device_set *from) {
    gf_device_destroy(from->interpreter);
    for (size_t i = 0; i < 3; i++) {
        gf_device_destroy(from->others[i]);
    }
    *from = (device_set){0};
}

/* ---- runs ---- */

enum { MOST_BUFFERS = 40, RUN_SECONDS = 200 };

typedef struct outcome {
    bool ok;
    gf_stats stats;
    uint32_t line;
    char code[16];
    char message[600]; /* with code and line */
    unsigned char *data[MOST_BUFFERS];
    size_t bytes[MOST_BUFFERS];
} outcome;

typedef struct trial {
    const device_set *devices;
    const trial_how *how;
    loaded program;
    outcome truth;
    outcome checked; /* the truth of checked mode, once it is wanted */
    bool has_checked;
    coverage_table *coverage;
    finding *out;
} trial;

static void drop(outcome *from) {
    for (size_t i = 0; i < MOST_BUFFERS; i++) {
        free(from->data[i]);
        from->data[i] = NULL;
    }
}

static void keep_message(outcome *out, const gf_diags *diags) {
    gf_diag diag;
    for (size_t i = 0; gf_diags_get(diags, i, &diag); i++) {
        if (diag.severity == GF_SEVERITY_ERROR) {
            out->line = diag.line;
            (void)snprintf(out->code, sizeof out->code, "%s", diag.code);
            (void)snprintf(out->message, sizeof out->message, "%s line %u: %s", diag.code, (unsigned)diag.line,
                           diag.message);
            return;
        }
    }
}

static size_t result_bytes(const gf_cli_buffer *buffer) {
    bool handed_back = buffer->symbol->role == GF_ROLE_INOUT || buffer->symbol->role == GF_ROLE_OUT;
    return handed_back ? (size_t)buffer->result.count * gf_type_bytes(buffer->symbol->type) : 0;
}

static void keep_data(outcome *out, const gf_cli_data *data) {
    for (size_t i = 0; i < data->buffer_count && i < MOST_BUFFERS; i++) {
        out->bytes[i] = result_bytes(&data->buffers[i]);
        out->data[i] = malloc(out->bytes[i] + 1);
        if (out->data[i] != NULL && out->bytes[i] > 0) {
            memcpy(out->data[i], data->buffers[i].result.data, out->bytes[i]);
        }
    }
}

/* `out` keeps no data: they lie in the program's buffers until the next run. */
static void run_kernel(trial *t, gf_kernel *kernel, gf_device *device, const mode *how, outcome *out) {
    loaded *program = &t->program;
    gf_diags *diags = program->diags;
    gf_bindings *bindings = gf_bindings_create(kernel);
    *out = (outcome){0};
    /* What is written must be written: not what the run before left there. */
    for (size_t i = 0; i < program->data.buffer_count; i++) {
        if (program->data.buffers[i].symbol->role == GF_ROLE_OUT && program->data.buffers[i].result.data != NULL) {
            memset(program->data.buffers[i].result.data, 0xa5, result_bytes(&program->data.buffers[i]));
        }
    }
    if (bindings != NULL && gf_cli_data_bind(&program->data, bindings, device, diags)) {
        gf_run_options options = {.strategy = how->strategy,
                                  .max_passes = program->options.passes,
                                  .timeout = t->how->timeout > 0 ? t->how->timeout : RUN_SECONDS,
                                  .check_races = how->races,
                                  .checked = how->checked,
                                  .in_place = how->in_place};
        out->ok = gf_run(kernel, bindings, &options, &out->stats, diags);
    }
    keep_message(out, diags);
    gf_diags_clear(diags);
    gf_bindings_destroy(bindings);
}

static gf_kernel *make_kernel(gf_device *device, loaded *program, const mode *how) {
    gf_program *again = NULL;
    if (how->formatted) {
        char *words = gf_program_text(program->program, program->diags);
        again = words == NULL ? NULL : gf_program_parse(words, strlen(words), "formatted.gf", program->diags);
        gf_free(words);
    }
    gf_kernel *kernel = gf_kernel_create(device, how->formatted ? again : program->program,
                                         &(gf_kernel_options){.plan = how->plan}, program->diags);
    gf_program_destroy(again);
    return kernel;
}

/* ---- what is the same ---- */

/* What all invocations compute alike is done by the grid, by each workgroup, or by each of them, of which the first is
 * named. */
static const char *behind_who(const char *message) {
    static const char *const who[] = {": invocation ", ": workgroup ", ": the grid "};
    for (size_t i = 0; i < sizeof who / sizeof who[0]; i++) {
        const char *at = strstr(message, who[i]);
        const char *rest = at != NULL ? strstr(at, " is at ") : NULL;
        rest = rest == NULL && at != NULL ? strstr(at, " divides ") : rest;
        if (rest != NULL) {
            return rest;
        }
    }
    return NULL;
}

static bool is_same_message(const char *a, const char *b) {
    const char *left = behind_who(a), *right = behind_who(b);
    return strcmp(a, b) == 0 ||
           (left != NULL && right != NULL && strcmp(left, right) == 0 && strncmp(a, b, strcspn(a, ":") + 1) == 0);
}

/* The grid or a workgroup, for all its invocations at once. */
static bool is_by_many(const outcome *fault) {
    return strstr(fault->message, ": the grid ") != NULL || strstr(fault->message, ": workgroup ") != NULL;
}

/* What only the grid does; a plan cut at workgroup barriers is made for programs without. */
static bool note_grid(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found |= stmt->kind == GF_STMT_FORALL || stmt->kind == GF_STMT_COLLECTIVE || stmt->kind == GF_STMT_SWAP;
    return true;
}

static bool holds(const loaded *program, bool (*note)(void *user, const gf_stmt *stmt)) {
    bool found = false;
    const gf_visitor visitor = {.user = &found, .stmt = note};
    gf_visit_block(&visitor, gf_program_tree(program->program)->kernel.body);
    return found;
}

/* The same text laid out otherwise has other lines. */
static const char *behind_line(const char *message) {
    const char *colon = strchr(message, ':');
    return colon != NULL ? colon : message;
}

static bool is_code(const outcome *of, const char *code) {
    return !of->ok && strcmp(of->code, code) == 0;
}

static bool report(finding *out, trial_verdict verdict, const mode *how, const char *device) {
    out->verdict = verdict;
    out->how = how;
    (void)snprintf(out->device, sizeof out->device, "%s", device);
    return false;
}

static bool compare_data(const outcome *truth, const loaded *program, const mode *how, const char *device,
                         finding *out) {
    for (size_t i = 0; i < program->data.buffer_count && i < MOST_BUFFERS; i++) {
        const gf_cli_buffer *buffer = &program->data.buffers[i];
        const unsigned char *found = buffer->result.data;
        size_t k = 0;
        while (k < truth->bytes[i] && truth->data[i][k] == found[k]) {
            k++;
        }
        if (k == truth->bytes[i]) {
            continue;
        }
        size_t width = gf_type_bytes(buffer->symbol->type);
        k = k / width * width;
        char want[GF_NUMBER_TEXT];
        char have[GF_NUMBER_TEXT];
        int want_length = (int)gf_number_format(buffer->symbol->type, truth->data[i] + k, want);
        int have_length = (int)gf_number_format(buffer->symbol->type, found + k, have);
        (void)snprintf(out->why, sizeof out->why, "%s[%zu] is %.*s, not %.*s", buffer->symbol->name, k / width,
                       have_length, have, want_length, want);
        return report(out, VERDICT_DATA, how, device);
    }
    return true;
}

static bool compare(const outcome *truth, const outcome *other, const loaded *program, const mode *how,
                    const char *device, finding *out) {
    if (how->races && !other->ok && truth->ok) {
        if (is_code(other, "GF0705")) {
            (void)snprintf(out->why, sizeof out->why, "%s", other->message);
            return report(out, VERDICT_RACE, how, device);
        }
        /* It is checked mode as well, which refuses what the language otherwise gives a meaning to. */
        if (is_code(other, "GF0706") || is_code(other, "GF0707")) {
            return true;
        }
    }
    if (how->races && !other->ok && !truth->ok) {
        return true;
    }
    /* A construct of the grid in a program that was to have none; a grid that the device cannot hold at once. */
    if ((how->plan.workgroup && is_code(other, "GF0501")) || is_code(other, "GF0623")) {
        return true;
    }
    /* A workgroup that is cut at its barriers ends at the first behind a trap, one that is not at a barrier of the
     * grid. */
    if (how->plan.workgroup && !truth->ok && !other->ok) {
        return true;
    }
    /* What is computed for many at once, although all of them have returned: the grid's by the plan, which rule it is,
     * the grid's and a workgroup's without a plan. */
    if (how->checked &&
        ((truth->ok && strstr(other->message, ": the grid ") != NULL) || (other->ok && is_by_many(truth)))) {
        return true;
    }
    if (truth->ok != other->ok) {
        (void)snprintf(out->why, sizeof out->why, "`%s`, not `%s`", other->ok ? "done" : other->message,
                       truth->ok ? "done" : truth->message);
        return report(out, VERDICT_FAILS, how, device);
    }
    if (!truth->ok) {
        /* Which of several faults comes first is not said where nothing orders them: what the grid computes once, and
         * what invocations do in the same stretch. Nor what others of a workgroup see, at its next barrier, of an
         * invocation that did wrong: the interpreter's is at its end then. */
        bool by_grid = how->checked && strstr(other->message, ": the grid ") != NULL;
        bool in_group = how->checked && gf_program_tree(program->program)->has_group_barrier;
        if (is_same_message(truth->message, other->message) || by_grid || in_group ||
            (how->formatted && strcmp(behind_line(truth->message), behind_line(other->message)) == 0)) {
            return true;
        }
        (void)snprintf(out->why, sizeof out->why, "`%s`, not `%s`", other->message, truth->message);
        return report(out, VERDICT_MESSAGE, how, device);
    }
    /* Cut at its own barriers, a workgroup that has returned as a whole says nothing any more of the grid. */
    bool said_alike = truth->stats.converged == other->stats.converged || how->plan.workgroup;
    if (truth->stats.passes != other->stats.passes || !said_alike) {
        (void)snprintf(out->why, sizeof out->why, "%llu passes and converged %d, not %llu and %d",
                       (unsigned long long)other->stats.passes, other->stats.converged,
                       (unsigned long long)truth->stats.passes, truth->stats.converged);
        return report(out, VERDICT_PASSES, how, device);
    }
    return compare_data(truth, program, how, device, out);
}

/* ---- one program ---- */

static void print_element(FILE *to, gf_type type, const unsigned char *at) {
    char digits[GF_NUMBER_TEXT];
    (void)fprintf(to, " %.*s", (int)gf_number_format(type, at, digits), digits);
}

static void tell_data(const trial *t, const outcome *truth) {
    FILE *to = t->how->tell;
    for (size_t i = 0; i < t->program.data.buffer_count && i < MOST_BUFFERS && truth->ok; i++) {
        const gf_cli_buffer *buffer = &t->program.data.buffers[i];
        const unsigned char *found = buffer->result.data;
        size_t width = gf_type_bytes(buffer->symbol->type);
        if (truth->bytes[i] == 0 || memcmp(truth->data[i], found, truth->bytes[i]) == 0) {
            continue;
        }
        (void)fprintf(to, "%s, right:", buffer->symbol->name);
        for (size_t k = 0; k < truth->bytes[i] && k < 64 * width; k += width) {
            print_element(to, buffer->symbol->type, truth->data[i] + k);
        }
        (void)fprintf(to, "\n%s, found:", buffer->symbol->name);
        for (size_t k = 0; k < truth->bytes[i] && k < 64 * width; k += width) {
            print_element(to, buffer->symbol->type, found + k);
        }
        (void)fprintf(to, "\n");
    }
}

static void tell(const trial *t, const outcome *truth, gf_kernel *kernel) {
    if (t->how->tell == NULL) {
        return;
    }
    tell_data(t, truth);
    const gf_plan *plan = gf_kernel_plan(kernel, false, NULL);
    char *words = plan != NULL ? gf_plan_dump(plan, GF_PLAN_TEXT, NULL) : NULL;
    (void)fprintf(t->how->tell, "%s", words != NULL ? words : "");
    gf_free(words);
}

static bool find_truth(trial *t, const mode *how, outcome *truth) {
    gf_kernel *kernel = make_kernel(t->devices->interpreter, &t->program, how);
    run_kernel(t, kernel, t->devices->interpreter, how, truth);
    bool fine = kernel != NULL && (truth->ok || truth->stats.status == GF_STATUS_TRAP);
    if (truth->ok) {
        keep_data(truth, &t->program.data);
    } else if (!fine) {
        (void)snprintf(t->out->why, sizeof t->out->why, "%s", truth->message);
        (void)report(t->out, VERDICT_FAILS, how, "interp");
    }
    gf_kernel_destroy(kernel);
    return fine;
}

static bool try_mode(trial *t, gf_kernel *kernel, gf_device *device, const char *name, const mode *how) {
    outcome other;
    static const mode checked = {.name = "native, checked", .strategy = GF_STRATEGY_NATIVE, .checked = true};
    const outcome *truth = &t->truth;
    if (how->checked) {
        if (!t->has_checked && !find_truth(t, &checked, &t->checked)) {
            return false;
        }
        t->has_checked = true;
        truth = &t->checked;
    }
    run_kernel(t, kernel, device, how, &other);
    if (compare(truth, &other, &t->program, how, name, t->out)) {
        return true;
    }
    tell(t, truth, kernel);
    return false;
}

static bool is_due(const trial *t, const mode *modes, size_t count, size_t index) {
    const mode *m = &modes[index];
    size_t first = 0;
    size_t in_turn = 0;
    const gf_tree *tree = gf_program_tree(t->program.program);
    if (m->when == WHEN_ONE_GROUP) {
        const gf_geometry *geometry = &t->program.data.geometry;
        bool one = tree->kernel.space_kind != GF_SPACE_INDIRECT && geometry->groups[0] <= 1 &&
                   geometry->groups[1] <= 1 && geometry->groups[2] <= 1;
        return one && tree->has_group_barrier && !tree->has_grid_barrier && !holds(&t->program, note_grid) &&
               (t->how->all || m->plan.keep_empty == (t->how->turn % 2 == 0));
    }
    if (m->when == WHEN_ALWAYS || t->how->all) {
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        first += i < index && modes[i].when == WHEN_IN_TURN;
        in_turn += modes[i].when == WHEN_IN_TURN;
    }
    /* Two of them. */
    return first == t->how->turn % in_turn || first == (t->how->turn / in_turn) % in_turn;
}

static bool try_modes(trial *t, gf_device *device, const char *name, const mode *modes, size_t count, uint64_t *runs) {
    gf_kernel *kernel = NULL;
    const mode *before = NULL;
    bool good = true;
    for (size_t m = 0; m < count && good; m++) {
        /* The first of the interpreter's is the truth. */
        if ((modes == interpreter_modes && m == 0) || !is_due(t, modes, count, m)) {
            continue;
        }
        if (before == NULL || !is_same_plan(before, &modes[m])) {
            gf_kernel_destroy(kernel);
            kernel = make_kernel(device, &t->program, &modes[m]);
        }
        before = &modes[m];
        good = try_mode(t, kernel, device, name, &modes[m]);
        if (runs != NULL) {
            runs[m]++;
        }
        if (m == 1 && modes == interpreter_modes && t->coverage != NULL && kernel != NULL) {
            const gf_plan *plan = gf_kernel_plan(kernel, false, NULL);
            if (plan != NULL) {
                coverage_add_plan(t->coverage, plan);
            }
        }
    }
    gf_kernel_destroy(kernel);
    return good;
}

/* ---- order and races ---- */

static bool is_marked(const char *source, uint32_t line, const char *mark) {
    for (uint32_t at = 1; at < line && source != NULL; at++) {
        source = strchr(source, '\n');
        source = source == NULL ? NULL : source + 1;
    }
    const char *end = source == NULL ? NULL : strchr(source, '\n');
    const char *found = source == NULL ? NULL : strstr(source, mark);
    return found != NULL && end != NULL && found < end;
}

static bool check_order(trial *t, const char *source) {
    gf_diags *diags = gf_diags_create();
    bool free_of_order = gf_program_order_free(t->program.program, diags);
    bool wanted = t->how->kind != GENERATE_ORDER;
    bool good = free_of_order == wanted || (wanted && t->how->own_atomics);
    gf_diag diag = {0};
    for (size_t i = 0; good && t->how->kind == GENERATE_ORDER && gf_diags_get(diags, i, &diag); i++) {
        good = is_marked(source, diag.line, "// order");
    }
    if (!good) {
        bool told = gf_diags_get(diags, 0, &diag);
        (void)snprintf(t->out->why, sizeof t->out->why, "order-free: %s; line %u: %s", free_of_order ? "yes" : "no",
                       told ? (unsigned)diag.line : 0, told ? diag.message : "");
        (void)report(t->out, wanted ? VERDICT_ORDER : VERDICT_UNSEEN, NULL, "");
    }
    gf_diags_destroy(diags);
    return good;
}

static const mode race_mode = {.name = "native, checked for races", .strategy = GF_STRATEGY_NATIVE, .races = true};

static bool run_for_races(trial *t, outcome *out) {
    gf_kernel *kernel = make_kernel(t->devices->interpreter, &t->program, &race_mode);
    run_kernel(t, kernel, t->devices->interpreter, &race_mode, out);
    gf_kernel_destroy(kernel);
    return is_code(out, "GF0705");
}

static bool check_race(trial *t, const char *source) {
    outcome found;
    if (run_for_races(t, &found) && is_marked(source, found.line, "// race")) {
        return true;
    }
    (void)snprintf(t->out->why, sizeof t->out->why, "the race is not named, but `%s`",
                   found.ok ? "done" : found.message);
    return report(t->out, VERDICT_UNSEEN, &race_mode, "interp");
}

static bool try_loaded(trial *t, const char *source) {
    const trial_how *how = t->how;
    uint64_t *runs[2] = {t->coverage != NULL ? t->coverage->runs[0] : NULL,
                         t->coverage != NULL ? t->coverage->runs[1] : NULL};
    if (t->coverage != NULL) {
        coverage_add_program(t->coverage, gf_program_tree(t->program.program));
        t->coverage->order_dependent += how->kind == GENERATE_ORDER;
        t->coverage->racing += how->kind == GENERATE_RACE;
    }
    outcome races;
    if (how->sure && how->kind == GENERATE_PLAIN && run_for_races(t, &races)) {
        return report(t->out, VERDICT_INVALID, NULL, "");
    }
    if (!check_order(t, source)) {
        return false;
    }
    if (how->kind == GENERATE_RACE) {
        return check_race(t, source);
    }
    if (!find_truth(t, &interpreter_modes[0], &t->truth)) {
        return false;
    }
    if (t->coverage != NULL) {
        runs[0][0]++;
        t->coverage->trapped += !t->truth.ok;
        t->coverage->converged += t->truth.ok && t->truth.stats.converged == 1;
    }
    if (how->kind == GENERATE_ORDER) {
        return true; /* one of several right answers */
    }
    if (!try_modes(t, t->devices->interpreter, "interp", interpreter_modes, interpreter_mode_count, runs[0])) {
        return false;
    }
    gf_device *other = how->use_device ? t->devices->others[how->turn % 3] : NULL;
    other = how->use_device && other == NULL ? t->devices->others[0] : other;
    return other == NULL || try_modes(t, other, t->devices->name, device_modes, device_mode_count, runs[1]);
}

bool try_program(const device_set *devices, const char *source, const trial_how *how, coverage_table *coverage,
                 finding *out) {
    trial t = {.devices = devices, .how = how, .coverage = coverage, .out = out};
    *out = (finding){.verdict = VERDICT_SAME};
    bool good = load(&t.program, source);
    if (!good) {
        outcome none = {0};
        keep_message(&none, t.program.diags);
        (void)snprintf(out->why, sizeof out->why, "%s", none.message);
        (void)report(out, VERDICT_INVALID, NULL, "");
    } else {
        good = try_loaded(&t, source);
    }
    drop(&t.truth);
    drop(&t.checked);
    unload(&t.program);
    return good;
}
