#include "gpu/supervise.h"
#include "base/clock.h"
#include "base/memory.h"
#include <errno.h>
#include <gridfence/gridfence.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TEXT = 3000, MOST_BAD_STARTS = 3, PATIENT_HANGS = 3, HURRIED_SECONDS = 5 };

/* What the working process says. */
typedef enum worker_word { WORD_READY, WORD_NO_DEVICE, WORD_BEGIN, WORD_VERDICT, WORD_RECORD } worker_word;

typedef struct worker_message {
    worker_word word;
    gf_verdict verdict;
    size_t index;
    double seconds;
    size_t length; /* of the text behind it */
} worker_message;

typedef struct case_row {
    const gf_supervise_options *options;
    gf_supervise_counts counts;
    double begin;
    size_t hangs;
    size_t next;     /* the case to be begun */
    bool is_running; /* it has begun */
    int from, to;    /* the two ends of the pipe */
    pid_t worker;
} case_row;

/* ---- what is told ---- */

static void tell_verdict(case_row *row, const worker_message *said, const char *text) {
    static const char *const words[] = {"ok  ", "FAIL", "skip", "FAIL"};
    const gf_supervise_options *options = row->options;
    const gf_case *item = options->cases[said->index];
    bool is_bad = said->verdict == GF_VERDICT_FAILED || said->verdict == GF_VERDICT_LOST;
    row->counts.passed += said->verdict == GF_VERDICT_PASSED;
    row->counts.failed += is_bad;
    row->counts.skipped += said->verdict == GF_VERDICT_SKIPPED;
    if (options->log != NULL) {
        (void)fprintf(options->log, "%s %8.3f %s: %s%s\n", words[said->verdict], said->seconds, options->how.strategy,
                      item->name,
                      said->verdict == GF_VERDICT_SKIPPED ? " (too large a grid, or no such strategy)" : "");
        (void)fflush(options->log);
    }
    if (is_bad) {
        gf_str command = {0};
        gf_attempt_tell(item, &options->how, &command);
        /* Standard output is captured where the worker is this very process. */
        (void)fprintf(stderr, "FAIL %s: %s\n%s  repeat: %s", options->how.strategy, item->name, text,
                      command.text != NULL ? command.text : "\n");
        gf_str_free(&command);
    }
}

static void tell_record(const case_row *row, size_t index, const char *text) {
    FILE *file = row->options->record;
    const gf_case *item = row->options->cases[index];
    (void)fprintf(file, "case %s\n", item->name);
    for (size_t i = 0; i < item->args.count; i++) {
        (void)fprintf(file, "arg %s\n", item->args.items[i]);
    }
    for (size_t i = 0; i < item->tells.count; i++) {
        (void)fprintf(file, "tells %s\n", item->tells.items[i]);
    }
    if (item->strategies != NULL) {
        (void)fprintf(file, "strategies %s\n", item->strategies);
    }
    if (item->loose_passes || item->loose_converged) {
        (void)fprintf(file, "loose%s%s\n", item->loose_passes ? " passes" : "",
                      item->loose_converged ? " converged" : "");
    }
    (void)fputs(item->dies ? "dies\n" : "", file);
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        (void)fprintf(file, "= %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

/* ---- the process that works ---- */

static void say(const case_row *row, worker_message said, const char *text) {
    said.length = text != NULL ? strlen(text) : 0;
    const char *parts[] = {(const char *)&said, text};
    size_t sizes[] = {sizeof said, said.length};
    for (size_t i = 0; i < 2; i++) {
        while (sizes[i] > 0) {
            ssize_t sent = write(row->to, parts[i], sizes[i]);
            if (sent < 0 && errno != EINTR) {
                _exit(1);
            }
            parts[i] += sent > 0 ? sent : 0;
            sizes[i] -= sent > 0 ? (size_t)sent : 0;
        }
    }
}

/* Fills in what is said of the case, and its text. */
static worker_message try_case(const gf_supervise_options *options, size_t index, gf_str *text) {
    worker_message said = {.word = WORD_VERDICT, .verdict = GF_VERDICT_PASSED, .index = index};
    double begin = gf_clock_seconds();
    gf_str_add(text, "");
    if (options->record == NULL) {
        said.verdict = gf_attempt_judge(options->cases[index], &options->how, text);
    } else if (gf_attempt_make(options->cases[index], &options->how, text)) {
        said.word = WORD_RECORD;
    } else {
        said.verdict = GF_VERDICT_FAILED;
    }
    said.seconds = gf_clock_seconds() - begin;
    if (said.word == WORD_VERDICT && text->length > MOST_TEXT) {
        (void)strcpy(text->text + MOST_TEXT, "...\n");
    }
    return said;
}

/* With a time for it, behind the last case comes the first again. */
static size_t next_case(const case_row *row, size_t index) {
    bool goes_on = gf_clock_seconds() - row->begin < row->options->loop_seconds;
    return index + 1 == row->options->count && goes_on ? 0 : index + 1;
}

static void work(const case_row *row) {
    gf_supervise_options options = *row->options;
    options.how.output = gf_attempt_capture();
    gf_diags *diags = gf_diags_create();
    /* Held to the end: the context stays, whatever the cases open and close. */
    gf_device *device = gf_device_open(options.how.device, diags);
    if (device == NULL || options.how.output < 0) {
        gf_diags_print(diags, stderr);
        say(row, (worker_message){.word = WORD_NO_DEVICE}, NULL);
        _exit(1);
    }
    say(row, (worker_message){.word = WORD_READY}, NULL);
    /* A device that is of no use from the beginning becomes no better by another process. */
    bool was_well = gf_attempt_is_well(options.how.device);
    for (size_t i = row->next; i < options.count; i = next_case(row, i)) {
        gf_str text = {0};
        say(row, (worker_message){.word = WORD_BEGIN, .index = i}, NULL);
        worker_message said = try_case(&options, i, &text);
        said.verdict = said.verdict == GF_VERDICT_LOST && !was_well ? GF_VERDICT_FAILED : said.verdict;
        say(row, said, text.text);
        gf_str_free(&text);
        if (said.verdict == GF_VERDICT_LOST) {
            _exit(1);
        }
    }
    gf_device_destroy(device);
    gf_diags_destroy(diags);
    (void)fflush(stderr);
    _exit(0);
}

/* ---- the process that watches ---- */

static bool start_worker(case_row *row) {
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fflush(NULL);
    row->from = ends[0];
    row->to = ends[1];
    row->worker = fork();
    if (row->worker == 0) {
        (void)close(row->from);
#ifdef __linux__
        /* A case that never ends is not to live on behind the process that would have ended it. */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        work(row);
    }
    (void)close(row->to);
    return row->worker > 0;
}

static void end_worker(case_row *row, int *status) {
    (void)kill(row->worker, SIGKILL);
    while (waitpid(row->worker, status, 0) < 0 && errno == EINTR) {
    }
    (void)close(row->from);
}

static bool read_whole(const case_row *row, void *data, size_t size) {
    char *at = data;
    while (size > 0) {
        ssize_t got = read(row->from, at, size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        at += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

typedef enum hearing { HEARD, HEARD_NOTHING, HEARD_END } hearing;

static hearing listen(const case_row *row, double seconds, worker_message *said, char **text) {
    struct pollfd poll_for = {.fd = row->from, .events = POLLIN};
    int ready = 0;
    do {
        ready = poll(&poll_for, 1, (int)(seconds * 1000));
    } while (ready < 0 && errno == EINTR);
    *text = NULL;
    if (ready == 0) {
        return HEARD_NOTHING;
    }
    if (!read_whole(row, said, sizeof *said)) {
        return HEARD_END;
    }
    *text = gf_calloc(said->length + 1, 1);
    return *text != NULL && read_whole(row, *text, said->length) ? HEARD : HEARD_END;
}

static bool is_late(const case_row *row) {
    double limit = row->options->limit_seconds;
    return limit > 0 && gf_clock_seconds() - row->begin > limit;
}

/* One message; false where the worker is to be ended. */
static bool take_message(case_row *row, const worker_message *said, const char *text) {
    switch (said->word) {
    case WORD_READY:
        row->counts.has_device = true;
        return true;
    case WORD_NO_DEVICE:
        return false;
    case WORD_BEGIN:
        row->next = said->index;
        row->is_running = !is_late(row);
        return row->is_running;
    case WORD_RECORD:
        tell_record(row, said->index, text);
        row->counts.passed++;
        break;
    case WORD_VERDICT:
        tell_verdict(row, said, text);
        break;
    }
    row->next = said->index + 1;
    row->is_running = false;
    return said->verdict != GF_VERDICT_LOST;
}

/* Where one case hangs after the other there is no time to wait long for each. */
static double longest(const case_row *row) {
    double seconds = row->options->case_seconds;
    return row->hangs >= PATIENT_HANGS && seconds > HURRIED_SECONDS ? HURRIED_SECONDS : seconds;
}

/* The case that has no verdict failed. */
static void blame(case_row *row, bool hangs, int status) {
    char text[200];
    double most = longest(row);
    row->hangs += hangs;
    if (hangs) {
        (void)snprintf(text, sizeof text, "hangs: it was killed after %.0f s\n", most);
    } else if (WIFSIGNALED(status)) {
        (void)snprintf(text, sizeof text, "crashed: signal %d\n", WTERMSIG(status));
    } else {
        (void)snprintf(text, sizeof text, "ended the process: status %d\n", WEXITSTATUS(status));
    }
    worker_message said = {
        .word = WORD_VERDICT, .verdict = GF_VERDICT_FAILED, .index = row->next, .seconds = hangs ? most : 0};
    (void)take_message(row, &said, text);
}

/* From the next case on, as far as one worker comes. False where it could not even begin. */
static bool run_worker(case_row *row) {
    if (!start_worker(row)) {
        return false;
    }
    size_t first = row->next;
    worker_message said = {.word = WORD_BEGIN};
    char *text = NULL;
    hearing heard = HEARD;
    bool goes_on = true;
    bool began = false;
    while (goes_on && (heard = listen(row, longest(row), &said, &text)) == HEARD) {
        began = began || said.word == WORD_READY;
        goes_on = take_message(row, &said, text);
        gf_free(text);
        text = NULL;
    }
    gf_free(text);
    int status = 0;
    if (heard == HEARD_END && !row->is_running) {
        (void)waitpid(row->worker, &status, 0);
        (void)close(row->from);
    } else {
        /* One that crashed has its own status, which killing it does not change. */
        end_worker(row, &status);
    }
    if (row->is_running) {
        blame(row, heard == HEARD_NOTHING, status);
    }
    return began || row->next > first;
}

static void run_here(case_row *row) {
    gf_supervise_options options = *row->options;
    options.how.output = gf_attempt_capture();
    gf_device *device = gf_device_open(options.how.device, NULL);
    row->counts.has_device = device != NULL && options.how.output >= 0;
    while (row->counts.has_device && row->next < options.count && !is_late(row)) {
        gf_str text = {0};
        worker_message said = try_case(&options, row->next, &text);
        (void)take_message(row, &said, text.text != NULL ? text.text : "");
        row->next = next_case(row, said.index);
        gf_str_free(&text);
    }
    gf_device_destroy(device);
}

static void run_row(case_row *row) {
    size_t bad_starts = 0;
    if (row->options->in_process) {
        run_here(row);
        return;
    }
    while (row->next < row->options->count && bad_starts < MOST_BAD_STARTS && !is_late(row)) {
        bad_starts = run_worker(row) ? 0 : bad_starts + 1;
        if (!row->counts.has_device) {
            return;
        }
        row->counts.restarts += row->next < row->options->count && !is_late(row);
    }
}

gf_supervise_counts gf_supervise(const gf_supervise_options *options) {
    case_row row = {.options = options, .begin = gf_clock_seconds()};
    run_row(&row);
    size_t left = options->count - row.next;
    if (left > 0 && row.counts.has_device && is_late(&row)) {
        (void)fprintf(stderr, "skip %zu cases: the time is over\n", left);
        row.counts.skipped += left;
    } else if (left > 0 && row.counts.has_device) {
        (void)fprintf(stderr, "FAIL the device could not be opened again; %zu cases are left\n", left);
        row.counts.failed += left;
    }
    return row.counts;
}
