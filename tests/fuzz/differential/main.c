/* The differential test: random programs, or those of files, each run by the interpreter as it stands and in many other
 * ways, which must all give the same.
 *
 *     differential [--count N | --seconds N] [--seed S] [--jobs J] [--device cpu|cuda [--every K]] [--coverage]
 *                  [--keep-going] [--findings FOLDER] [--plain]
 *     differential [--device NAME] FILE.gf...      those programs, in all ways
 *     differential --write FOLDER --count N [--seed S] [--plain]
 *                                                  writes FOLDER/S.gf, S + 1 ..., and tries nothing
 *
 * --every K: one program in K goes to the device, since compiling takes its time. --plain: none that depends on order
 * or races. --coverage: all that the programs were made of is listed; what there never was in 4000 programs or more is
 * in any case, and counts as a failure.
 *
 * A difference is shrunk and shown with both results, the plan, and the seed that repeats it. The last line is
 * `N passed, N failed, N skipped`; status 1 where something failed. */
#include "hunt.h"
#include "trial.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *word, uint64_t *out) {
    char *end = NULL;
    *out = strtoull(word, &end, 10);
    return *word != '\0' && *end == '\0';
}

static int usage(void) {
    (void)fputs("differential: see the head of tests/fuzz/differential/main.c\n", stderr);
    return 2;
}

static bool read_file(const char *name, text *out) {
    FILE *file = fopen(name, "rb");
    char part[4096];
    size_t got = 0;
    if (file == NULL) {
        return false;
    }
    while ((got = fread(part, 1, sizeof part, file)) > 0) {
        text_add(out, part, got);
    }
    return fclose(file) == 0;
}

static int try_files(const hunt_options *options, char **names) {
    unsigned passed = 0;
    unsigned failed = 0;
    device_set devices;
    if (!devices_open(&devices, options->device)) {
        return 3;
    }
    for (; *names != NULL; names++) {
        text program = {0};
        finding found = {0};
        const trial_how how = {
            .kind = GENERATE_PLAIN, .own_atomics = true, .all = true, .use_device = true, .tell = stdout};
        bool good = read_file(*names, &program) && try_program(&devices, text_get(&program), &how, NULL, &found);
        if (!good) {
            printf("%s: %s, %s on %s: %s\n", *names, verdict_name(found.verdict),
                   found.how != NULL ? found.how->name : "", found.device, found.why);
        }
        passed += good;
        failed += !good;
        text_free(&program);
    }
    devices_close(&devices);
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed > 0 ? 1 : 0;
}

static int write_programs(const hunt_options *options, const char *folder) {
    for (uint64_t seed = options->seed; seed - options->seed < options->count; seed++) {
        char name[4096];
        generated made;
        choice_stream choices = choice_from_seed(seed);
        generate_program(&choices, hunt_kind(options, seed), &made);
        (void)snprintf(name, sizeof name, "%s/%llu.gf", folder, (unsigned long long)seed);
        FILE *file = fopen(name, "wb");
        bool done = file != NULL && fputs(text_get(&made.text), file) >= 0;
        done = file != NULL && fclose(file) == 0 && done;
        generated_free(&made);
        if (!done) {
            perror(name);
            return 4;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct option table[] = {
        {"count", required_argument, NULL, 'n'},    {"seconds", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 's'},     {"jobs", required_argument, NULL, 'j'},
        {"device", required_argument, NULL, 'd'},   {"every", required_argument, NULL, 'e'},
        {"coverage", no_argument, NULL, 'c'},       {"keep-going", no_argument, NULL, 'k'},
        {"findings", required_argument, NULL, 'f'}, {"write", required_argument, NULL, 'w'},
        {"plain", no_argument, NULL, 'p'},          {NULL, 0, NULL, 0}};
    hunt_options options = {.seed = 1, .jobs = 1, .every = 1};
    const char *folder = NULL;
    uint64_t jobs = 1;
    bool fine = true;
    for (int got = 0; (got = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        switch (got) {
        case 'n':
            fine &= read_number(optarg, &options.count);
            break;
        case 't':
            fine &= read_number(optarg, &options.seconds);
            break;
        case 's':
            fine &= read_number(optarg, &options.seed);
            break;
        case 'j':
            fine &= read_number(optarg, &jobs) && jobs >= 1 && jobs <= HUNT_MOST_JOBS;
            options.jobs = (unsigned)jobs;
            break;
        case 'd':
            options.device = optarg;
            break;
        case 'e':
            fine &= read_number(optarg, &options.every) && options.every >= 1;
            break;
        case 'c':
            options.coverage = true;
            break;
        case 'k':
            options.keep_going = true;
            break;
        case 'f':
            options.findings = optarg;
            break;
        case 'w':
            folder = optarg;
            break;
        case 'p':
            options.plain_only = true;
            break;
        default:
            fine = false;
            break;
        }
    }
    if (!fine) {
        return usage();
    }
    if (optind < argc) {
        return try_files(&options, argv + optind);
    }
    if (options.count == 0 && (options.seconds == 0 || folder != NULL)) {
        return usage();
    }
    return folder != NULL ? write_programs(&options, folder) : hunt(&options);
}
