#include "cli/bench_run.h"
#include "base/clock.h"
#include "base/memory.h"
#include "io/number.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAUSE_MILLISECONDS 20 /* threads that spin for a while after a run have parked by then */
#define DEVICES 4
#define ROUNDS_LEAST 3   /* that a deadline leaves */
#define SLOW_SECONDS 0.2 /* of a run */
#define VERY_SLOW_SECONDS 2
#define PATIENCE_LATE 60 /* seconds for an answer of a peer, where there is a deadline */

/* A device with the kernel and its data. */
typedef struct station {
    gf_device *device;
    gf_program *program;
    gf_kernel *kernel;
    gf_kernel *wake; /* does next to nothing; NULL on devices that need no waking */
    gf_bindings *wake_bindings;
    gf_buffer *buffers[GF_BENCH_NAMES]; /* by the program's order; NULL for scratch and for those that another one is */
    double compile_seconds;
} station;

typedef struct contender {
    station *station;
    gf_strategy strategy;
    gf_bindings *bindings;
    gf_bench_entry *entry;
    bool failed; /* and there is a message */
} contender;

typedef struct measuring {
    const gf_workload *workload;
    const gf_bench_options *options;
    const gf_bench_setup *setup;
    gf_bench_case data;
    station stations[DEVICES];
    size_t station_count;
    contender ways[GF_BENCH_WAYS];
    gf_bench_peer peers[GF_BENCH_PEERS]; /* one for each peer of the result */
    gf_bench_result *result;
    gf_diags *diags;
} measuring;

/* ---- times ---- */

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static void add_time(gf_bench_times *times, double seconds) {
    times->seconds[times->count++] = seconds;
}

static void sum_up(gf_bench_times *times) {
    double sorted[GF_BENCH_ROUNDS_MAX];
    size_t n = times->count;
    if (n > 0) {
        memcpy(sorted, times->seconds, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, compare_doubles);
        times->least = sorted[0];
        times->most = sorted[n - 1];
        times->median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }
}

double gf_bench_ratio(const gf_bench_entry *ours, const gf_bench_entry *peer) {
    return ours->ok && peer->ok && peer->times.median > 0 ? ours->times.median / peer->times.median : 0;
}

static bool begin_entry(measuring *at, gf_bench_entry *entry) {
    entry->times.seconds = gf_calloc(at->options->rounds, sizeof *entry->times.seconds);
    return entry->times.seconds != NULL ? true : gf_fail_memory(at->diags);
}

void gf_bench_result_free(gf_bench_result *result) {
    for (size_t i = 0; i < GF_BENCH_WAYS; i++) {
        gf_free(result->ours[i].times.seconds);
    }
    for (size_t i = 0; i < GF_BENCH_PEERS; i++) {
        gf_free(result->peers[i].times.seconds);
    }
    memset(result, 0, sizeof *result);
}

/* ---- ours ---- */

/* NULL with a message. */
static gf_program *parse_program(const measuring *at, bool is_gpu) {
    const char *name = gf_workload_program(at->workload, is_gpu);
    char *text = gf_workload_text(at->workload, &at->setup->shape, is_gpu);
    if (text == NULL) {
        (void)gf_fail(at->diags, GF_CODE_WORKLOAD_UNKNOWN, GF_NO_SPAN, "there is no program '%s'", name);
        return NULL;
    }
    gf_diags *own = gf_diags_create(); /* warnings are for those who write programs */
    gf_program *program = gf_program_parse(text, strlen(text), name, own);
    if (program == NULL) {
        gf_diags_take(at->diags, own);
    }
    gf_diags_destroy(own);
    gf_free(text);
    return program;
}

static bool fail_data(measuring *at, const char *what, const char *name) {
    return gf_fail(at->diags, GF_CODE_INPUT_MISSING, GF_NO_SPAN, "the bench has no %s '%.60s' for workload %s", what,
                   name, at->workload->name);
}

/* What the bench has for a buffer of the program; its type must be the program's. */
static const gf_bench_array *find_array(const measuring *at, const gf_buffer_info *info) {
    const gf_bench_arrays *arrays = info->role == GF_BUFFER_OUT ? &at->data.outputs : &at->data.inputs;
    const gf_bench_array *array = gf_bench_find(arrays, info->name);
    return array != NULL && array->type == info->type ? array : NULL;
}

static bool make_buffers(measuring *at, station *here) {
    gf_buffer_info info;
    const gf_bench_array *arrays[GF_BENCH_NAMES] = {NULL};
    for (size_t i = 0; i < GF_BENCH_NAMES && gf_program_buffer_info(here->program, i, &info); i++) {
        if (info.role == GF_BUFFER_SCRATCH) {
            continue;
        }
        arrays[i] = find_array(at, &info);
        if (arrays[i] == NULL) {
            return fail_data(at, gf_type_name(info.type), info.name);
        }
        /* Inputs that are one array are one buffer. */
        for (size_t j = 0; j < i && info.role == GF_BUFFER_IN; j++) {
            if (arrays[j] != NULL && arrays[j]->data == arrays[i]->data && arrays[j]->data != NULL) {
                here->buffers[i] = here->buffers[j];
            }
        }
        size_t bytes = (size_t)arrays[i]->count * gf_type_bytes(info.type);
        bool fresh = here->buffers[i] == NULL;
        here->buffers[i] = fresh ? gf_buffer_create(here->device, bytes, at->diags) : here->buffers[i];
        if (here->buffers[i] == NULL || (fresh && arrays[i]->data != NULL &&
                                         !gf_buffer_write(here->buffers[i], 0, arrays[i]->data, bytes, at->diags))) {
            return false;
        }
    }
    return true;
}

static bool bind_params(measuring *at, const contender *way) {
    gf_param_info info;
    for (size_t i = 0; gf_program_param_info(way->station->program, i, &info); i++) {
        const gf_bench_param *found = NULL;
        for (size_t j = 0; j < at->data.param_count; j++) {
            found = strcmp(at->data.params[j].name, info.name) == 0 ? &at->data.params[j] : found;
        }
        if (found == NULL && !info.has_default) {
            return fail_data(at, "param", info.name);
        }
        if (found != NULL) {
            gf_value value = {.type = info.type};
            bool whole = info.type != GF_TYPE_F32 && info.type != GF_TYPE_F64;
            gf_number number = {
                .is_integer = whole, .magnitude = whole ? (uint64_t)found->value : 0, .real = found->value};
            (void)gf_number_store(number, info.type, &value.bits);
            gf_bind_value(way->bindings, info.name, value);
        }
    }
    return true;
}

static bool make_bindings(measuring *at, contender *way) {
    gf_buffer_info info;
    way->bindings = gf_bindings_create(way->station->kernel);
    if (way->bindings == NULL) {
        return gf_fail_memory(at->diags);
    }
    for (size_t i = 0; gf_program_buffer_info(way->station->program, i, &info); i++) {
        if (info.role != GF_BUFFER_SCRATCH) {
            gf_bind_buffer(way->bindings, info.name, way->station->buffers[i]);
        }
    }
    return bind_params(at, way);
}

/* A GPU is taken over from the peer that had it last, and wakes up, before a run and not in it; peers do the same. */
static bool make_wake(measuring *at, station *here) {
    static const char text[] = "program wake;\nout u32 x[1];\nkernel (1) workgroup(1) { x[0] = 1; }\n";
    static uint32_t x;
    gf_program *program = gf_program_parse(text, sizeof text - 1, "<wake>", at->diags);
    here->wake = program != NULL ? gf_kernel_create(here->device, program, NULL, at->diags) : NULL;
    here->wake_bindings = here->wake != NULL ? gf_bindings_create(here->wake) : NULL;
    gf_bind_output(here->wake_bindings, "x", &x, sizeof x);
    gf_program_destroy(program); /* the kernel holds it */
    return here->wake_bindings != NULL;
}

/* What a run changed becomes what it was. */
static bool reset(measuring *at, const station *here) {
    gf_buffer_info info;
    for (size_t i = 0; gf_program_buffer_info(here->program, i, &info); i++) {
        const gf_bench_array *array = info.role == GF_BUFFER_INOUT ? find_array(at, &info) : NULL;
        if (array != NULL && !gf_buffer_write(here->buffers[i], 0, array->data,
                                              (size_t)array->count * gf_type_bytes(array->type), at->diags)) {
            return false;
        }
    }
    return here->wake == NULL || gf_run(here->wake, here->wake_bindings, NULL, NULL, at->diags);
}

static bool run_once(measuring *at, contender *way, double *seconds, gf_diags *diags) {
    gf_stats stats;
    gf_run_options options = {.strategy = way->strategy};
    (void)poll(NULL, 0, PAUSE_MILLISECONDS);
    if (!reset(at, way->station)) {
        return false;
    }
    double begin = gf_clock_seconds();
    if (!gf_run(way->station->kernel, way->bindings, &options, &stats, diags)) {
        return false;
    }
    *seconds = gf_clock_seconds() - begin;
    bool only = at->options->strategy_count == 1;
    (void)snprintf(way->entry->took, sizeof way->entry->took, "%s", gf_strategy_name(stats.strategy));
    (void)snprintf(way->entry->name, sizeof way->entry->name, "%s",
                   only ? way->entry->took : gf_strategy_name(way->strategy));
    return true;
}

static void tell_absent(const measuring *at, gf_strategy strategy, const gf_diags *why) {
    gf_diag diag;
    (void)fprintf(stderr, "gridfence bench: %s by %s is left out: %s\n", at->result->label, gf_strategy_name(strategy),
                  gf_diags_get(why, 0, &diag) ? diag.message : "");
}

/* A way more, with a run before anything counts. Of several strategies, one that the device does not have makes no way,
 * and one that fails neither, but for its message. */
static bool add_way(measuring *at, station *here, gf_strategy strategy) {
    gf_bench_entry *entry = &at->result->ours[at->result->our_count];
    contender *way = &at->ways[at->result->our_count];
    *way = (contender){.station = here, .strategy = strategy, .entry = entry};
    gf_diags *own = gf_diags_create();
    bool done = make_bindings(at, way) && begin_entry(at, entry) && (own != NULL ? true : gf_fail_memory(at->diags));
    bool ran = done && run_once(at, way, &entry->first_seconds, own);
    bool several = done && !ran && at->options->every_strategy;
    bool absent = several && gf_diags_status(own) == GF_STATUS_DEVICE;
    if (ran) {
        entry->compile_seconds = here->compile_seconds;
        entry->program = gf_workload_program(at->workload, here->wake != NULL);
        (void)snprintf(entry->device, sizeof entry->device, "%s", gf_device_name(here->device));
        at->result->our_count++;
    } else {
        gf_bindings_destroy(way->bindings);
        way->bindings = NULL;
        gf_free(entry->times.seconds);
        *entry = (gf_bench_entry){0};
        if (absent && at->options->named_strategies) {
            tell_absent(at, strategy, own);
        }
        if (!absent) {
            gf_diags_take(at->diags, own);
        }
    }
    gf_diags_destroy(own);
    return ran || several;
}

static bool add_station(measuring *at, const char *name) {
    station *here = &at->stations[at->station_count];
    here->device =
        gf_device_open_with(name, &at->options->device_options, at->options->device != NULL ? at->diags : NULL);
    if (here->device == NULL) {
        return at->options->device == NULL; /* built in, and nothing of the kind is here */
    }
    at->station_count++;
    bool is_gpu = strncmp(name, "cuda", 4) == 0;
    here->program = parse_program(at, is_gpu);
    double begin = gf_clock_seconds();
    here->kernel = here->program != NULL ? gf_kernel_create(here->device, here->program, NULL, at->diags) : NULL;
    here->compile_seconds = gf_clock_seconds() - begin;
    bool done = here->kernel != NULL && make_buffers(at, here) && (!is_gpu || make_wake(at, here));
    for (size_t i = 0; done && i < at->options->strategy_count; i++) {
        done = add_way(at, here, at->options->strategies[i]);
    }
    return done;
}

static bool add_stations(measuring *at) {
    if (at->options->device != NULL) {
        return add_station(at, at->options->device);
    }
    bool done = true;
    for (size_t i = 0; done && gf_device_kind(i) != NULL && at->station_count < DEVICES; i++) {
        /* The interpreter is for tiny sizes. */
        done = (!at->options->quick && strcmp(gf_device_kind(i), "interp") == 0) || add_station(at, gf_device_kind(i));
    }
    return done;
}

static void free_station(station *here) {
    for (size_t i = 0; i < GF_BENCH_NAMES; i++) {
        bool again = false;
        for (size_t j = 0; j < i; j++) {
            again = again || here->buffers[j] == here->buffers[i];
        }
        if (!again) {
            gf_buffer_destroy(here->buffers[i]);
        }
    }
    gf_bindings_destroy(here->wake_bindings);
    gf_kernel_destroy(here->wake);
    gf_kernel_destroy(here->kernel);
    gf_program_destroy(here->program);
    gf_device_destroy(here->device);
}

/* ---- results ---- */

static bool read_results(measuring *at, const station *here, gf_bench_arrays *results) {
    gf_buffer_info info;
    for (size_t i = 0; gf_program_buffer_info(here->program, i, &info); i++) {
        const gf_bench_array *array =
            info.role == GF_BUFFER_OUT || info.role == GF_BUFFER_INOUT ? find_array(at, &info) : NULL;
        if (array == NULL) {
            continue;
        }
        void *data = gf_bench_add(results, array->name, array->type, array->count, at->diags);
        if (data == NULL ||
            !gf_buffer_read(here->buffers[i], 0, data, (size_t)array->count * gf_type_bytes(array->type), at->diags)) {
            return false;
        }
    }
    return true;
}

static bool check_results(measuring *at, const gf_bench_arrays *results, gf_bench_entry *entry) {
    entry->ok = at->workload->check(&at->data, results, entry->why);
    if (entry->ok || entry->why[0] != '\0') {
        return true;
    }
    gf_bench_arrays_free(&at->data.expected); /* part of it may be there */
    return gf_fail_memory(at->diags);
}

static bool check_ours(measuring *at, contender *way) {
    gf_bench_arrays results = {0};
    bool done = read_results(at, way->station, &results) && check_results(at, &results, way->entry);
    gf_bench_arrays_free(&results);
    if (done && !way->entry->ok) {
        (void)gf_fail(at->diags, GF_CODE_RESULTS_DIFFER, GF_NO_SPAN, "workload %s gave a wrong result on %s by %s: %s",
                      at->workload->name, way->entry->device, way->entry->name, way->entry->why);
    }
    return done;
}

static void check_peer(measuring *at, size_t index, const char *folder) {
    gf_bench_entry *entry = &at->result->peers[index];
    gf_bench_arrays results = {0};
    if (!gf_bench_peer_result(&at->peers[index])) {
        (void)snprintf(entry->why, sizeof entry->why, "%s", at->peers[index].line);
    } else if (gf_bench_load_results(&at->data, folder, &results, entry->why)) {
        (void)check_results(at, &results, entry); /* the sink knows */
    }
    gf_bench_arrays_free(&results);
    gf_bench_remove_results(&at->data, folder);
}

/* ---- peers ---- */

/* Those that have the workload stay, each with an entry of the result. */
static bool start_peers(measuring *at, const char *folder) {
    gf_bench_peer found[GF_BENCH_PEERS];
    size_t count = gf_bench_peers_find(at->options->peers, found);
    for (size_t i = 0; i < count; i++) {
        size_t place = at->result->peer_count;
        gf_bench_entry *entry = &at->result->peers[place];
        at->peers[place] = found[i];
        if (at->options->deadline > 0 && found[i].patience > PATIENCE_LATE) {
            at->peers[place].patience = PATIENCE_LATE;
        }
        gf_bench_answer answer = gf_bench_peer_start(&at->peers[place], at->workload->name, folder, at->options->rounds,
                                                     at->result->threads);
        if (answer == GF_BENCH_UNSUPPORTED) {
            continue;
        }
        at->result->peer_count++;
        (void)snprintf(entry->name, sizeof entry->name, "%s", found[i].name);
        if (answer == GF_BENCH_BROKEN) {
            (void)snprintf(entry->why, sizeof entry->why, "%s", at->peers[place].line);
        }
        if (!begin_entry(at, entry)) {
            return false;
        }
    }
    return true;
}

static void run_peer(measuring *at, size_t index) {
    gf_bench_entry *entry = &at->result->peers[index];
    double seconds = 0;
    if (at->peers[index].pid == 0) {
        return;
    }
    (void)poll(NULL, 0, PAUSE_MILLISECONDS);
    if (gf_bench_peer_go(&at->peers[index], &seconds)) {
        add_time(&entry->times, seconds);
    } else {
        (void)snprintf(entry->why, sizeof entry->why, "%s", at->peers[index].line);
    }
}

/* ---- all of it ---- */

/* How many rounds a way takes part in, two at least: where there is a deadline, a slow one does not use up the time of
 * the others. The run before the rounds says nothing, it may have compiled. */
static unsigned rounds_of(const measuring *at, const contender *way) {
    const gf_bench_times *times = &way->entry->times;
    double seconds = times->count > 0 ? times->seconds[0] : 0;
    unsigned most = at->options->rounds;
    if (at->options->deadline > 0 && seconds > SLOW_SECONDS) {
        unsigned few = seconds > VERY_SLOW_SECONDS ? 2 : ROUNDS_LEAST;
        most = few < most ? few : most;
    }
    return most;
}

/* One that fails is out of the race; the others go on. */
static void run_ours(measuring *at, contender *way, bool last) {
    double seconds = 0;
    if (way->failed) {
        return;
    }
    way->failed = !run_once(at, way, &seconds, at->diags);
    if (!way->failed) {
        add_time(&way->entry->times, seconds);
        /* Its results are there until the next one runs. */
        way->failed = last && !check_ours(at, way);
    }
}

static bool run_rounds(measuring *at, const char *folder) {
    unsigned rounds = at->options->rounds;
    double deadline = at->options->deadline;
    for (unsigned round = 0; round < rounds; round++) {
        bool late = deadline > 0 && round + 1 >= ROUNDS_LEAST && gf_clock_seconds() > deadline;
        rounds = late ? round + 1 : rounds;
        /* Whoever runs after the peers finds the device as they left it: each in its turn. */
        for (size_t i = 0; i < at->result->our_count; i++) {
            contender *way = &at->ways[(i + round) % at->result->our_count];
            unsigned own = rounds_of(at, way);
            if (round < own) {
                run_ours(at, way, round + 1 == rounds || round + 1 == own);
            }
        }
        for (size_t i = 0; i < at->result->peer_count; i++) {
            run_peer(at, i);
        }
    }
    for (size_t i = 0; i < at->result->peer_count; i++) {
        if (at->peers[i].pid != 0) {
            check_peer(at, i, folder);
        }
    }
    bool done = false;
    for (size_t i = 0; i < at->result->our_count; i++) {
        done = done || !at->ways[i].failed;
    }
    return done;
}

static bool make_folder(const gf_bench_options *options, const char *workload, gf_str *path, gf_diags *diags) {
    const char *place = getenv("TMPDIR");
    if (options->data != NULL) {
        gf_str_addf(path, "%s/%s", options->data, workload);
    } else {
        gf_str_addf(path, "%s/gridfence-bench-%s-XXXXXX", place != NULL && *place != '\0' ? place : "/tmp", workload);
    }
    if (path->failed) {
        return gf_fail_memory(diags);
    }
    bool there =
        options->data == NULL ? mkdtemp(path->text) != NULL : mkdir(path->text, S_IRWXU) == 0 || errno == EEXIST;
    if (!there) {
        return gf_fail(diags, GF_CODE_FILE_WRITE, GF_NO_SPAN, "cannot make the folder %s", path->text);
    }
    return true;
}

static bool measure_with_peers(measuring *at) {
    gf_str folder = {0};
    bool made = make_folder(at->options, at->workload->name, &folder, at->diags);
    bool done = made && gf_bench_save(&at->data, folder.text, at->diags) && start_peers(at, folder.text) &&
                run_rounds(at, folder.text);
    for (size_t i = 0; i < at->result->peer_count; i++) {
        gf_bench_peer_end(&at->peers[i]);
    }
    if (made && at->options->data == NULL) {
        gf_bench_remove(&at->data, folder.text);
        (void)rmdir(folder.text);
    }
    gf_str_free(&folder);
    return done;
}

static bool make_case(measuring *at, gf_bench_setup *setup) {
    gf_program *program = parse_program(at, false);
    bool done = program != NULL && at->workload->make(setup, program, &at->data, at->diags);
    gf_program_destroy(program);
    return done;
}

bool gf_bench_measure(const gf_workload *workload, gf_bench_setup *setup, const gf_bench_options *options,
                      gf_bench_result *out, gf_diags *diags) {
    measuring *at = gf_calloc(1, sizeof *at);
    if (at == NULL) {
        return gf_fail_memory(diags);
    }
    *at = (measuring){.workload = workload, .options = options, .setup = setup, .result = out, .diags = diags};
    char shape[32];
    gf_bench_shape_label(&setup->shape, shape);
    (void)snprintf(out->label, sizeof out->label, "%s%s", workload->name, shape);
    out->name = workload->name;
    out->threads = options->device_options.threads;
    bool done = make_case(at, setup);
    memcpy(out->size, at->data.size, sizeof out->size);
    done = done && add_stations(at) && (options->peers != NULL ? measure_with_peers(at) : run_rounds(at, ""));
    for (size_t i = 0; i < out->our_count; i++) {
        sum_up(&out->ours[i].times);
        gf_bindings_destroy(at->ways[i].bindings);
    }
    for (size_t i = 0; i < out->peer_count; i++) {
        sum_up(&out->peers[i].times);
    }
    for (size_t i = 0; i < at->station_count; i++) {
        free_station(&at->stations[i]);
    }
    gf_bench_case_free(&at->data);
    gf_free(at);
    return done;
}
