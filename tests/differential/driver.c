/* The differential test: each program is run by the interpreter as it stands, and by its plan in several forms; all
 * must give the same bytes, passes and convergence.
 *
 *     differential [--one-group] FILE.gf...    programs of generate.py, which all have the same params and buffers;
 *                                              those of one workgroup are cut at workgroup barriers as well
 *     differential --device NAME [--all] [--one-group] FILE.gf...
 *                                              on that device with 1, 2 or 4 threads, one program after the other; each
 *                                              by its plan as it is and by two other forms, or by all of them
 *
 * Prints what differs, and as its last line `N passed, N failed, N skipped`. */
#include <gridfence/gridfence.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 32, MOST_TEXT = 1 << 20, MOST_SIZES = 8 };

typedef struct outcome {
    bool ok;
    gf_stats stats;
    char message[512];
    unsigned char *data[MOST_BUFFERS];
    size_t bytes[MOST_BUFFERS];
} outcome;

typedef struct mode {
    const char *name;
    gf_strategy strategy;
    gf_plan_options plan;
    bool formatted;
    bool races;
    bool checked;
    bool in_place;
} mode;

static const mode modes[] = {
    {.name = "native", .strategy = GF_STRATEGY_NATIVE},
    {.name = "native, checked for races", .strategy = GF_STRATEGY_NATIVE, .races = true},
    {.name = "native, formatted text", .strategy = GF_STRATEGY_NATIVE, .formatted = true},
    {.name = "host", .strategy = GF_STRATEGY_HOST},
    {.name = "host, barriers kept", .strategy = GF_STRATEGY_HOST, .plan = {.keep_barriers = true}},
    {.name = "host, empty stretches kept", .strategy = GF_STRATEGY_HOST, .plan = {.keep_empty = true}},
    {.name = "host, all carried", .strategy = GF_STRATEGY_HOST, .plan = {.all_carry = true}},
    {.name = "host, exits lowered", .strategy = GF_STRATEGY_HOST, .plan = {.lower_exits = true}},
    {.name = "resident", .strategy = GF_STRATEGY_RESIDENT},
    /* Last: of programs of one workgroup alone. */
    {.name = "host, cut at workgroup barriers", .strategy = GF_STRATEGY_HOST, .plan = {.workgroup = true}},
    {.name = "host, cut there, all kept",
     .strategy = GF_STRATEGY_HOST,
     .plan = {.workgroup = true, .keep_empty = true}},
};
enum { MODES = sizeof modes / sizeof *modes, ONE_GROUP_MODES = 2 };

/* Modes of one plan stand together: they share a kernel. */
static const mode device_modes[] = {
    {.name = "native", .strategy = GF_STRATEGY_NATIVE},
    {.name = "resident, in place", .strategy = GF_STRATEGY_RESIDENT, .in_place = true},
    {.name = "persistent", .strategy = GF_STRATEGY_PERSISTENT},
    /* From here on by turns. */
    {.name = "checked", .strategy = GF_STRATEGY_NATIVE, .checked = true},
    {.name = "host", .strategy = GF_STRATEGY_HOST},
    {.name = "native, barriers kept", .strategy = GF_STRATEGY_NATIVE, .plan = {.keep_barriers = true}},
    {.name = "native, empty stretches kept", .strategy = GF_STRATEGY_NATIVE, .plan = {.keep_empty = true}},
    {.name = "native, all carried", .strategy = GF_STRATEGY_NATIVE, .plan = {.all_carry = true}},
    {.name = "native, exits lowered", .strategy = GF_STRATEGY_NATIVE, .plan = {.lower_exits = true}},
};
enum { DEVICE_MODES = sizeof device_modes / sizeof *device_modes, ALWAYS = 3, BY_TURNS = 2 };
static const unsigned team_sizes[] = {1, 2, 4};
enum { TEAMS = sizeof team_sizes / sizeof *team_sizes };

/* What the interpreter's result is compared with. */
typedef struct others {
    gf_device *device;
    const mode *modes;
    size_t count;
    const uint32_t *sizes; /* up to 0 */
    size_t turn;           /* GF_ALL_MODES, or which modes it is the turn of */
} others;

#define GF_ALL_MODES SIZE_MAX

/* SplitMix64: the same data everywhere. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void put_element(gf_type type, unsigned char *at, uint64_t random) {
    float f = (float)(random % 1000) / 8.0f;
    uint64_t bits = random % 64 == 0 ? random : random % 100;
    if (type == GF_TYPE_F16)
        bits = 0x3c00 + random % 0x800;
    double d = f;
    if (type == GF_TYPE_F32)
        memcpy(at, &f, sizeof f);
    else if (type == GF_TYPE_F64)
        memcpy(at, &d, sizeof d);
    else
        memcpy(at, &bits, gf_type_bytes(type));
}

static bool is_among(const char *name, const char *const *names) {
    while (*names != NULL && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

static size_t length_of(const char *name, uint32_t n) {
    static const char *const eight[] = {"sum", "low", "high", "mix", "any", "flag", "flags", NULL};
    static const char *const four_each[] = {"four", "bytes", "wide", NULL};
    return is_among(name, eight) ? 8 : is_among(name, four_each) ? (size_t)n * 4 : n;
}

static void bind_all(const gf_program *program, gf_bindings *bindings, uint32_t n, outcome *out) {
    gf_bind_u32(bindings, "n", n);
    gf_bind_u32(bindings, "n2", n / 3);
    gf_bind_u32(bindings, "n3", n / 6);
    gf_bind_u32(bindings, "k", 11);
    for (size_t i = 0; i < gf_program_buffer_count(program) && i < MOST_BUFFERS; i++) {
        gf_buffer_info info;
        gf_program_buffer_info(program, i, &info);
        size_t count = length_of(info.name, n), size = gf_type_bytes(info.type);
        out->bytes[i] = count * size;
        out->data[i] = calloc(count + 1, size);
        uint64_t state = i * 1000 + n;
        for (size_t k = 0; k < count && info.role != GF_BUFFER_OUT; k++)
            put_element(info.type, out->data[i] + k * size, next_random(&state));
        if (info.role == GF_BUFFER_IN)
            gf_bind_input(bindings, info.name, out->data[i], out->bytes[i]);
        else if (info.role == GF_BUFFER_INOUT)
            gf_bind_inout(bindings, info.name, out->data[i], out->bytes[i]);
        else if (info.role == GF_BUFFER_OUT)
            gf_bind_output(bindings, info.name, out->data[i], out->bytes[i]);
    }
}

static void keep_message(outcome *out, const gf_diags *diags) {
    for (size_t i = 0; i < gf_diags_count(diags); i++) {
        gf_diag diag;
        gf_diags_get(diags, i, &diag);
        if (diag.severity == GF_SEVERITY_ERROR) {
            snprintf(out->message, sizeof out->message, "%s line %u: %s", diag.code, diag.line, diag.message);
            return;
        }
    }
}

static gf_kernel *make_kernel(gf_device *device, gf_program *program, const mode *how, gf_diags *diags) {
    gf_program *again = NULL;
    if (how->formatted) {
        char *text = gf_program_text(program, diags);
        again = text == NULL ? NULL : gf_program_parse(text, strlen(text), "formatted", diags);
        gf_free(text);
        program = again;
    }
    gf_kernel *kernel = gf_kernel_create(device, program, &(gf_kernel_options){.plan = how->plan}, diags);
    gf_program_destroy(again);
    return kernel;
}

static void run_kernel(gf_kernel *kernel, const gf_program *program, const mode *how, uint32_t n, gf_diags *diags,
                       outcome *out) {
    gf_bindings *bindings = gf_bindings_create(kernel);
    memset(out, 0, sizeof *out);
    if (bindings != NULL)
        bind_all(program, bindings, n, out);
    gf_run_options options = {.strategy = how->strategy,
                              .timeout = 60,
                              .check_races = how->races,
                              .checked = how->checked,
                              .in_place = how->in_place};
    out->ok = gf_run(kernel, bindings, &options, &out->stats, diags);
    keep_message(out, diags);
    gf_diags_clear(diags);
    gf_bindings_destroy(bindings);
}

static void run_once(gf_device *device, gf_program *program, const mode *how, uint32_t n, outcome *out) {
    gf_diags *diags = gf_diags_create();
    gf_kernel *kernel = make_kernel(device, program, how, diags);
    run_kernel(kernel, program, how, n, diags, out);
    gf_kernel_destroy(kernel);
    gf_diags_destroy(diags);
}

static void drop(outcome *out) {
    for (size_t i = 0; i < MOST_BUFFERS; i++)
        free(out->data[i]);
}

static bool same(const gf_program *program, const outcome *a, const outcome *b, bool checked, char *why, size_t size) {
    /* Checked mode refuses what the language otherwise gives a meaning to: that is not a difference. */
    if (!b->ok && checked && (strncmp(b->message, "GF0706", 6) == 0 || strncmp(b->message, "GF0707", 6) == 0))
        return true;
    /* A construct of the grid in a program that was to have none: not to be cut at workgroup barriers. */
    if (!b->ok && strncmp(b->message, "GF0501", 6) == 0)
        return true;
    if (!b->ok) {
        snprintf(why, size, "fails: %s", b->message);
        return false;
    }
    if (a->stats.passes != b->stats.passes || a->stats.converged != b->stats.converged) {
        snprintf(why, size, "passes %llu and %llu, converged %d and %d", (unsigned long long)a->stats.passes,
                 (unsigned long long)b->stats.passes, a->stats.converged, b->stats.converged);
        return false;
    }
    for (size_t i = 0; i < MOST_BUFFERS && a->data[i] != NULL; i++) {
        size_t k = 0;
        while (k < a->bytes[i] && a->data[i][k] == b->data[i][k])
            k++;
        if (k == a->bytes[i])
            continue;
        gf_buffer_info info;
        gf_program_buffer_info(program, i, &info);
        snprintf(why, size, "buffer `%s` differs at element %zu", info.name, k / gf_type_bytes(info.type));
        return false;
    }
    return true;
}

/* Items of a forall are counted from its begin by some, and named by their value by others. */
static bool same_message(const char *a, const char *b) {
    const char *item_a = strstr(a, " of a forall"), *item_b = strstr(b, " of a forall");
    bool items = item_a != NULL && item_b != NULL;
    size_t place = strlen("GF0000 line ") + 4;
    /* What all invocations compute alike is done by the grid, or by each of them: the first is named. */
    const char *grid = strstr(a, ": the grid "), *first = strstr(b, ": invocation ");
    if (grid == NULL || first == NULL) {
        grid = strstr(b, ": the grid ");
        first = strstr(a, ": invocation ");
    }
    if (grid != NULL && first != NULL) {
        const char *rest = strstr(first, " is at ") != NULL ? strstr(first, " is at ") : strstr(first, " divides ");
        return strncmp(a, b, strlen("GF0000 line ")) == 0 && rest != NULL &&
               strcmp(grid + strlen(": the grid"), rest) == 0;
    }
    return items ? strncmp(a, b, place) == 0 && strcmp(item_a, item_b) == 0 : strcmp(a, b) == 0;
}

/* The interpreter too, in checked mode: both say the same, be it a result or a fault. */
static bool same_checked(gf_device *interp, gf_program *program, const mode *how, uint32_t n, const outcome *other,
                         char *why, size_t size) {
    outcome truth;
    run_once(interp, program, how, n, &truth);
    bool good = truth.ok == other->ok && same_message(truth.message, other->message);
    if (!good)
        snprintf(why, size, "`%s`, where the interpreter says `%s`", other->message, truth.message);
    good = good && (!truth.ok || same(program, &truth, other, false, why, size));
    drop(&truth);
    return good;
}

static bool is_on(const others *with, size_t index) {
    size_t by_turns = with->count - ALWAYS;
    return with->turn == GF_ALL_MODES || index < ALWAYS ||
           (index - ALWAYS + by_turns - with->turn * BY_TURNS % by_turns) % by_turns < BY_TURNS;
}

static bool same_plan(const mode *a, const mode *b) {
    const gf_plan_options *x = &a->plan, *y = &b->plan;
    return !a->formatted && !b->formatted && x->keep_barriers == y->keep_barriers && x->keep_empty == y->keep_empty &&
           x->many_passes == y->many_passes && x->all_carry == y->all_carry && x->workgroup == y->workgroup &&
           x->lower_exits == y->lower_exits;
}

static bool try_mode(gf_device *interp, gf_program *program, const mode *how, gf_kernel *kernel, const outcome *truths,
                     const others *with, gf_diags *diags, const char *name) {
    for (size_t s = 0; with->sizes[s] != UINT32_MAX; s++) {
        outcome other;
        char why[1400];
        run_kernel(kernel, program, how, with->sizes[s], diags, &other);
        bool good = how->checked ? same_checked(interp, program, how, with->sizes[s], &other, why, sizeof why)
                                 : same(program, &truths[s], &other, how->races, why, sizeof why);
        if (!good)
            printf("%s, n = %u, %s: %s\n", name, (unsigned)with->sizes[s], how->name, why);
        drop(&other);
        if (!good)
            return false;
    }
    return true;
}

static bool find_truths(gf_device *interp, gf_program *program, const others *with, outcome *truths, const char *name) {
    gf_diags *diags = gf_diags_create();
    gf_kernel *kernel = make_kernel(interp, program, &modes[0], diags);
    bool good = true;
    for (size_t s = 0; with->sizes[s] != UINT32_MAX; s++) {
        run_kernel(kernel, program, &modes[0], with->sizes[s], diags, &truths[s]);
        good &= truths[s].ok;
        if (!truths[s].ok)
            printf("%s, n = %u: native fails: %s\n", name, (unsigned)with->sizes[s], truths[s].message);
    }
    gf_kernel_destroy(kernel);
    gf_diags_destroy(diags);
    return good;
}

static bool try_program(gf_device *interp, const others *with, const char *name, gf_program *program) {
    outcome truths[MOST_SIZES] = {0};
    bool good = find_truths(interp, program, with, truths, name);
    gf_diags *diags = gf_diags_create();
    gf_kernel *kernel = NULL;
    const mode *before = NULL;
    for (size_t m = 0; m < with->count && good; m++) {
        const mode *how = &with->modes[m];
        if (!is_on(with, m))
            continue;
        if (before == NULL || !same_plan(before, how)) {
            gf_kernel_destroy(kernel);
            kernel = make_kernel(with->device, program, how, diags);
        }
        before = how;
        good = try_mode(interp, program, how, kernel, truths, with, diags, name);
    }
    gf_kernel_destroy(kernel);
    gf_diags_destroy(diags);
    for (size_t s = 0; s < MOST_SIZES; s++)
        drop(&truths[s]);
    return good;
}

static bool try_file(gf_device *interp, const others *with, const char *name, gf_diags *diags) {
    static char text[MOST_TEXT];
    FILE *file = fopen(name, "rb");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text, file);
    if (file != NULL)
        fclose(file);
    gf_diags_clear(diags);
    gf_program *program = gf_program_parse(text, length, name, diags);
    if (program == NULL)
        gf_diags_print(diags, stdout);
    bool good = program != NULL && try_program(interp, with, name, program);
    gf_program_destroy(program);
    fflush(stdout);
    return good;
}

static bool is_next(int count, char **names, int *at, const char *option) {
    bool found = *at < count && strcmp(names[*at], option) == 0;
    *at += found;
    return found;
}

int main(int count, char **names) {
    static const uint32_t few[] = {6, 66, 0, 300, UINT32_MAX}, many[] = {6, 66, 0, 300, 9001, UINT32_MAX};
    size_t passed = 0, failed = 0;
    int at = 1;
    gf_diags *diags = gf_diags_create();
    gf_device *interp = gf_device_open("interp", diags), *devices[TEAMS] = {NULL};
    const char *wanted = is_next(count, names, &at, "--device") && at < count ? names[at++] : NULL;
    bool all = is_next(count, names, &at, "--all"), one_group = is_next(count, names, &at, "--one-group");
    others with = {.device = interp,
                   .modes = modes + 1,
                   .count = (one_group ? MODES : MODES - ONE_GROUP_MODES) - 1,
                   .sizes = few,
                   .turn = GF_ALL_MODES};
    for (size_t i = 0; wanted != NULL && i < TEAMS; i++) {
        gf_device_options options = {.threads = team_sizes[i], .no_cache = true};
        devices[i] = gf_device_open_with(wanted, &options, diags);
        with = (others){.modes = device_modes, .count = DEVICE_MODES, .sizes = one_group ? few : many};
    }
    if (interp == NULL || (wanted != NULL && devices[0] == NULL)) {
        printf("skip device %s: it is not here\n0 passed, 0 failed, 1 skipped\n", wanted != NULL ? wanted : "interp");
        gf_device_destroy(interp);
        gf_diags_destroy(diags);
        return 0;
    }
    for (size_t turn = 0; at < count; turn++, at++) {
        if (wanted != NULL) {
            with.device = devices[turn % TEAMS];
            with.turn = all ? GF_ALL_MODES : turn;
        }
        bool good = try_file(interp, &with, names[at], diags);
        passed += good;
        failed += !good;
    }
    for (size_t i = 0; i < TEAMS; i++)
        gf_device_destroy(devices[i]);
    gf_device_destroy(interp);
    gf_diags_destroy(diags);
    printf("%zu passed, %zu failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
