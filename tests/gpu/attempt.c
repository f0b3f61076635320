#include "gpu/attempt.h"
#include "base/memory.h"
#include "cli/cli.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { INLINE_BYTES = 700, SHOWN = 300, MOST_FILES = 16, PATH_BYTES = 1024 };

typedef struct outcome {
    int status;
    char *outputs; /* the member of the JSON object, owned; "" where there is none */
    char passes[32], converged[8], code[16], strategy[16];
    char *messages; /* as printed, owned */
    gf_str files;   /* a line for each */
} outcome;

int gf_attempt_capture(void) {
    FILE *file = tmpfile();
    int output = file != NULL ? dup(fileno(file)) : -1;
    if (file != NULL) {
        (void)fclose(file);
    }
    return output >= 0 && dup2(output, STDOUT_FILENO) >= 0 ? output : -1;
}

/* ---- running ---- */

static char *take_output(int output) {
    (void)fflush(stdout);
    clearerr(stdout);
    off_t size = lseek(output, 0, SEEK_CUR);
    char *text = size >= 0 ? gf_malloc((size_t)size + 1) : NULL;
    size_t got = 0;
    for (ssize_t part = 1; text != NULL && got < (size_t)size && part > 0;) {
        part = pread(output, text + got, (size_t)size - got, (off_t)got);
        got += part > 0 ? (size_t)part : 0;
    }
    if (text != NULL) {
        text[got] = '\0';
    }
    (void)lseek(output, 0, SEEK_SET);
    return ftruncate(output, 0) == 0 ? text : NULL;
}

/* What stands between the two in the text, or "". */
static char *cut(const char *text, const char *before, const char *after) {
    const char *begin = text != NULL ? strstr(text, before) : NULL;
    const char *end = begin != NULL ? strstr(begin + strlen(before), after) : NULL;
    size_t length = end != NULL ? (size_t)(end - begin) - strlen(before) : 0;
    char *part = gf_malloc(length + 1);
    if (part != NULL && length > 0) {
        memcpy(part, begin + strlen(before), length);
    }
    if (part != NULL) {
        part[length] = '\0';
    }
    return part;
}

static void cut_short(const char *text, const char *before, const char *after, char *out, size_t size) {
    char *part = cut(text, before, after);
    (void)snprintf(out, size, "%s", part != NULL ? part : "");
    gf_free(part);
}

static char *print_messages(const gf_diags *diags) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) {
        return NULL;
    }
    gf_diags_print(diags, stream);
    return fclose(stream) == 0 ? text : NULL;
}

static void find_code(const gf_diags *diags, char out[16]) {
    gf_diag diag = {0};
    *out = '\0';
    for (size_t i = 0; *out == '\0' && gf_diags_get(diags, i, &diag); i++) {
        if (diag.severity == GF_SEVERITY_ERROR) {
            (void)snprintf(out, 16, "%s", diag.code);
        }
    }
}

static void add_size_and_hash(gf_str *lines, const char *data, size_t bytes) {
    gf_str_addf(lines, "%zu bytes, xxh3 %016llx\n", bytes, (unsigned long long)XXH3_64bits(data, bytes));
}

static void take_file(const char *name, const char *path, gf_str *lines) {
    FILE *file = fopen(path, "rb");
    gf_str data = {0};
    char part[4096];
    gf_str_add(&data, "");
    for (size_t got = 0; file != NULL && (got = fread(part, 1, sizeof part, file)) > 0;) {
        gf_str_add_n(&data, part, got);
    }
    if (file != NULL) {
        (void)fclose(file);
        (void)unlink(path);
        gf_str_addf(lines, "file %s: ", name);
        add_size_and_hash(lines, data.text, data.length);
    }
    gf_str_free(&data);
}

/* The argument with the folder in place of the `@` in `=@/`; NULL where it has none. Owned. */
static char *put_folder(const char *argument, const char *folder) {
    const char *at = strstr(argument, "=@/");
    gf_str text = {0};
    if (at == NULL) {
        return NULL;
    }
    gf_str_add_n(&text, argument, (size_t)(at - argument) + 1);
    gf_str_addf(&text, "%s%s", folder, at + 2);
    return gf_str_take(&text);
}

static bool run_command(const gf_case *item, const gf_attempt_how *how, outcome *out) {
    char *words[] = {"--device", (char *)how->device, "--strategy", (char *)how->strategy, "--json"};
    size_t extra = 0;
    char *owned[MOST_FILES] = {NULL};
    size_t owned_count = 0;
    while (how->extra != NULL && how->extra[extra] != NULL) {
        extra++;
    }
    *out = (outcome){.status = -1};
    gf_diags *diags = gf_diags_create();
    char **argv = gf_calloc(item->args.count + extra + sizeof words / sizeof words[0] + 1, sizeof *argv);
    if (argv == NULL || diags == NULL) {
        gf_diags_destroy(diags);
        gf_free(argv);
        return false;
    }
    int argc = 0;
    for (size_t i = 0; i < item->args.count; i++) {
        char *placed = owned_count < MOST_FILES ? put_folder(item->args.items[i], how->folder) : NULL;
        if (placed != NULL) {
            owned[owned_count++] = placed;
        }
        argv[argc++] = placed != NULL ? placed : item->args.items[i];
    }
    for (size_t i = 0; i < extra; i++) {
        argv[argc++] = (char *)how->extra[i];
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        argv[argc++] = words[i];
    }
    out->status = gf_cmd_run(argc, argv, diags);
    char *text = take_output(how->output);
    out->outputs = cut(text, "\n \"outputs\": ", ",\n \"diagnostics\": ");
    cut_short(text, "\n \"converged\": ", ",", out->converged, sizeof out->converged);
    cut_short(text, "\"passes\": ", ",", out->passes, sizeof out->passes);
    cut_short(text, "\"strategy\": \"", "\"", out->strategy, sizeof out->strategy);
    out->messages = print_messages(diags);
    find_code(diags, out->code);
    gf_str_add(&out->files, "");
    for (size_t i = 0; i < owned_count; i++) {
        const char *path = strchr(owned[i], '=') + 1;
        take_file(path + strlen(how->folder) + 1, path, &out->files);
        gf_free(owned[i]);
    }
    gf_free(text);
    gf_free(argv);
    gf_diags_destroy(diags);
    return out->outputs != NULL && out->messages != NULL && !out->files.failed;
}

static void free_ran(outcome *ran) {
    gf_free(ran->outputs);
    free(ran->messages); /* of open_memstream */
    gf_str_free(&ran->files);
}

static void write_lines(const gf_case *item, const outcome *ran, gf_str *lines) {
    gf_str_addf(lines, "status %d\n", ran->status);
    if (ran->code[0] != '\0') {
        gf_str_addf(lines, "error %s\n", ran->code);
    }
    if (ran->passes[0] != '\0' && !item->loose_passes) {
        gf_str_addf(lines, "passes %s\n", ran->passes);
    }
    if (ran->converged[0] != '\0' && !item->loose_converged) {
        gf_str_addf(lines, "converged %s\n", ran->converged);
    }
    size_t bytes = strlen(ran->outputs);
    if (bytes > 0 && bytes <= INLINE_BYTES) {
        gf_str_addf(lines, "outputs %s\n", ran->outputs);
    } else if (bytes > 0) {
        gf_str_add(lines, "outputs ");
        add_size_and_hash(lines, ran->outputs, bytes);
    }
    gf_str_add(lines, ran->files.text);
}

bool gf_attempt_make(const gf_case *item, const gf_attempt_how *how, gf_str *lines) {
    outcome ran;
    bool done = run_command(item, how, &ran);
    if (done) {
        write_lines(item, &ran, lines);
    }
    free_ran(&ran);
    return done && !lines->failed;
}

/* ---- what is wrong ---- */

static bool is_as_recorded(const gf_case *item, const char *lines) {
    for (size_t i = 0; i < item->recorded.count; i++) {
        size_t length = strlen(item->recorded.items[i]);
        if (strncmp(lines, item->recorded.items[i], length) != 0 || lines[length] != '\n') {
            return false;
        }
        lines += length + 1;
    }
    return *lines == '\0';
}

/* Where the texts of two objects of arrays differ: the array's name, and the number of the element. */
static void tell_difference(const char *found, const char *right, gf_str *why) {
    size_t at = 0;
    size_t element = 0;
    size_t value = 0;
    const char *name = "";
    while (found[at] == right[at] && found[at] != '\0') {
        if (found[at] == '[') {
            const char *end = found + at;
            for (name = end - 3; name > found && name[-1] != '"'; name--) {
            }
            element = 0;
            value = at + 1;
        } else if (found[at] == ',') {
            element++;
            value = at + 2;
        }
        at++;
    }
    if (found[at] == right[at]) {
        gf_str_add(why, "outputs are the same as the interpreter's here\n");
        return;
    }
    gf_str_addf(why, "%.*s[%zu] is %.*s, not %.*s\n", (int)strcspn(name, "\""), name, element,
                (int)strcspn(found + value, ",]"), found + value, (int)strcspn(right + value, ",]"), right + value);
}

/* Of outputs that were too long to be recorded whole: what the interpreter gives now. */
static void ask_interpreter(const gf_case *item, const gf_attempt_how *how, const outcome *found, gf_str *why) {
    gf_attempt_how other = *how;
    other.device = "interp";
    other.strategy = "native";
    outcome right;
    gf_str lines = {0};
    gf_str_add(&lines, "");
    if (run_command(item, &other, &right)) {
        write_lines(item, &right, &lines);
        tell_difference(found->outputs, right.outputs, why);
        if (!lines.failed && !is_as_recorded(item, lines.text)) {
            gf_str_add(why, "the interpreter here does not give what was recorded either\n");
        }
    }
    gf_str_free(&lines);
    free_ran(&right);
}

/* Whether both begin with the same word. */
static bool is_of_a_kind(const char *a, const char *b) {
    size_t length = strcspn(a, " \n:");
    return strcspn(b, " \n:") == length && memcmp(a, b, length) == 0;
}

static void tell_line(const char *what, const char *line, gf_str *why) {
    size_t length = strcspn(line, "\n");
    gf_str_addf(why, "%s %.*s%s\n", what, (int)(length < SHOWN ? length : SHOWN), line, length > SHOWN ? "..." : "");
}

static void tell_wrong(const gf_case *item, const gf_attempt_how *how, const outcome *found, const char *lines,
                       gf_str *why) {
    bool had_outputs = false;
    for (size_t i = 0; i < item->recorded.count; i++) {
        const char *right = item->recorded.items[i];
        const char *at = lines;
        had_outputs = had_outputs || is_of_a_kind(right, "outputs");
        while (*at != '\0' &&
               !(is_of_a_kind(at, right) && (*right != 'f' || strncmp(at, right, strcspn(right, ":")) == 0))) {
            at += strcspn(at, "\n") + 1;
        }
        if (*at == '\0' || strncmp(at, right, strlen(right)) != 0 || at[strlen(right)] != '\n') {
            tell_line("expected", right, why);
            tell_line("found   ", *at != '\0' ? at : "nothing", why);
        }
    }
    if (found->outputs[0] != '\0' && had_outputs) {
        ask_interpreter(item, how, found, why);
    }
    if (found->strategy[0] != '\0') {
        gf_str_addf(why, "it ran as %s\n", found->strategy);
    }
}

/* ---- what is no failure ---- */

/* The strategy is too much for the device, or the device knows none of the kind: its limits say so, or its driver is
 * too old. */
static bool is_skipped(const outcome *found, const gf_attempt_how *how) {
    if (strcmp(found->code, "GF0623") == 0) {
        return true;
    }
    if (strcmp(found->code, "GF0622") != 0) {
        return false;
    }
    if (strstr(found->messages, "the driver has no graphs with loops") != NULL) {
        return true;
    }
    gf_device *device = gf_device_open(how->device, NULL);
    const gf_backend_limits *limits = gf_device_limits(device);
    bool is_had =
        device == NULL || (limits->grid_barrier && (strcmp(how->strategy, "persistent") != 0 || limits->persistent));
    gf_device_destroy(device);
    return !is_had;
}

bool gf_attempt_is_well(const char *name) {
    static const char text[] = "program well;\nparam u32 n;\nout u32 x[n];\n"
                               "kernel (n) workgroup(64) { x[gid.x] = gid.x * 3; }\n";
    uint32_t x[256] = {0};
    gf_program *program = gf_program_parse(text, strlen(text), "<well>", NULL);
    gf_device *device = gf_device_open(name, NULL);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, NULL);
    gf_bindings *bindings = gf_bindings_create(kernel);
    gf_stats stats;
    gf_bind_u32(bindings, "n", 256);
    gf_bind_output(bindings, "x", x, sizeof x);
    bool is_fine = gf_run(kernel, bindings, &(gf_run_options){.timeout = 10}, &stats, NULL);
    for (uint32_t i = 0; i < 256; i++) {
        is_fine = is_fine && x[i] == i * 3;
    }
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_device_destroy(device);
    gf_program_destroy(program);
    return is_fine;
}

static bool tells_all(const gf_case *item, const outcome *found, gf_str *why) {
    size_t missing = 0;
    for (size_t i = 0; i < item->tells.count; i++) {
        if (strstr(found->messages, item->tells.items[i]) == NULL) {
            gf_str_addf(why, "the messages do not hold `%s`\n", item->tells.items[i]);
            missing++;
        }
    }
    return missing == 0;
}

gf_verdict gf_attempt_judge(const gf_case *item, const gf_attempt_how *how, gf_str *why) {
    outcome found;
    gf_str lines = {0};
    gf_verdict verdict = GF_VERDICT_FAILED;
    if (item->dies) {
        (void)raise(SIGKILL);
    }
    gf_str_add(&lines, "");
    if (!run_command(item, how, &found)) {
        gf_str_add(why, "no memory, or no room for what it writes\n");
    } else {
        write_lines(item, &found, &lines);
        if (!lines.failed && is_as_recorded(item, lines.text)) {
            verdict = tells_all(item, &found, why) ? GF_VERDICT_PASSED : GF_VERDICT_FAILED;
        } else if (is_skipped(&found, how)) {
            gf_str_addf(why, "%.*s\n", (int)strcspn(found.messages, "\n"), found.messages);
            verdict = GF_VERDICT_SKIPPED;
        } else {
            tell_wrong(item, how, &found, lines.text != NULL ? lines.text : "", why);
        }
        if (verdict == GF_VERDICT_FAILED) {
            gf_str_add(why, found.code[0] != '\0' ? found.messages : "");
            verdict = gf_attempt_is_well(how->device) ? GF_VERDICT_FAILED : GF_VERDICT_LOST;
        }
    }
    gf_str_free(&lines);
    free_ran(&found);
    return verdict;
}

/* In quotes where a shell would make something of it. */
static void add_quoted(gf_str *out, const char *word) {
    bool plain = *word != '\0';
    for (const char *at = word; *at != '\0'; at++) {
        plain = plain && (strchr("+,-./:=@_%", *at) != NULL || (*at >= '0' && *at <= '9') ||
                          (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'));
    }
    gf_str_addf(out, plain ? " %s" : " '%s'", word);
}

void gf_attempt_tell(const gf_case *item, const gf_attempt_how *how, gf_str *out) {
    gf_str_add(out, "./gridfence");
    for (size_t i = 0; i < item->args.count; i++) {
        add_quoted(out, item->args.items[i]);
    }
    for (size_t i = 0; how->extra != NULL && how->extra[i] != NULL; i++) {
        add_quoted(out, how->extra[i]);
    }
    gf_str_addf(out, " --device %s --strategy %s\n", how->device, how->strategy);
}
