#include "cli/bench_report.h"
#include "base/json_text.h"
#include <math.h>
#include <string.h>

const gf_bench_entry *gf_bench_find_peer(const gf_bench_result *result, const char *peer) {
    for (size_t i = 0; i < result->peer_count; i++) {
        if (strcmp(result->peers[i].name, peer) == 0) {
            return &result->peers[i];
        }
    }
    return NULL;
}

const gf_bench_entry *gf_bench_best(const gf_bench_result *result) {
    const gf_bench_entry *best = NULL;
    for (size_t i = 0; i < result->peer_count; i++) {
        const gf_bench_entry *peer = &result->peers[i];
        if (peer->ok && (best == NULL || peer->times.median < best->times.median)) {
            best = peer;
        }
    }
    return best;
}

double gf_bench_mean(const gf_bench_report *report, const char *peer, size_t *count) {
    double sum = 0;
    *count = 0;
    for (size_t i = 0; i < report->count; i++) {
        const gf_bench_entry *entry =
            peer != NULL ? gf_bench_find_peer(&report->results[i], peer) : gf_bench_best(&report->results[i]);
        double ratio =
            entry != NULL && report->results[i].our_count > 0 ? gf_bench_ratio(&report->results[i].ours[0], entry) : 0;
        if (ratio > 0) {
            sum += log(ratio);
            (*count)++;
        }
    }
    return *count > 0 ? exp(sum / (double)*count) : 0;
}

/* ---- table ---- */

#define COLUMN "%13s %6s"

void gf_bench_put_head(const gf_bench_report *report, gf_str *out) {
    gf_str_addf(out, "%-15s %-18s %12s %6s", "workload", "device, strategy", "ms", "+-");
    for (size_t i = 0; i < report->peer_count; i++) {
        gf_str_addf(out, COLUMN, report->peers[i], "ratio");
    }
    gf_str_add(out, "  result\n");
}

static void put_cell(const gf_bench_entry *ours, const gf_bench_entry *peer, gf_str *out) {
    char time[32] = "";
    char ratio[32] = "";
    if (peer != NULL && peer->ok) {
        (void)snprintf(time, sizeof time, "%.3f", peer->times.median * 1e3);
        (void)snprintf(ratio, sizeof ratio, "%.2f", gf_bench_ratio(ours, peer));
    } else if (peer != NULL) {
        (void)snprintf(time, sizeof time, "failed");
    }
    gf_str_addf(out, COLUMN, time, ratio);
}

/* How far apart the rounds were, of the median. */
static double spread_of(const gf_bench_times *times) {
    return times->median > 0 ? (times->most - times->least) / times->median : 0;
}

void gf_bench_put_rows(const gf_bench_report *report, const gf_bench_result *result, gf_str *out) {
    for (size_t i = 0; i < result->our_count; i++) {
        const gf_bench_entry *ours = &result->ours[i];
        char way[140];
        bool other = strcmp(ours->name, ours->took) != 0;
        (void)snprintf(way, sizeof way, "%s %s%s%s", ours->device, ours->name, other ? "=" : "",
                       other ? ours->took : "");
        gf_str_addf(out, "%-15s %-18s %12.3f %5.0f%%", result->label, way, ours->times.median * 1e3,
                    spread_of(&ours->times) * 100);
        for (size_t j = 0; j < report->peer_count; j++) {
            put_cell(ours, gf_bench_find_peer(result, report->peers[j]), out);
        }
        gf_str_addf(out, "  %s\n", ours->ok ? "right" : "WRONG");
    }
    for (size_t i = 0; i < result->our_count; i++) {
        const gf_bench_entry *ours = &result->ours[i];
        bool told = i > 0 && strcmp(result->ours[i - 1].program, ours->program) == 0;
        if (!told && strcmp(result->name, ours->program) != 0) {
            gf_str_addf(out, "            %s runs %s.gf\n", ours->device, ours->program);
        }
    }
    for (size_t i = 0; i < result->peer_count; i++) {
        if (!result->peers[i].ok) {
            gf_str_addf(out, "            %s failed: %s\n", result->peers[i].name, result->peers[i].why);
        }
    }
}

void gf_bench_put_means(const gf_bench_report *report, gf_str *out) {
    if (report->peer_count == 0 || report->count < 2) {
        return;
    }
    gf_str_addf(out, "%-15s %-18s %12s %6s", "", "geometric mean", "", "");
    for (size_t i = 0; i < report->peer_count; i++) {
        size_t count = 0;
        char text[32] = "";
        double mean = gf_bench_mean(report, report->peers[i], &count);
        if (count > 0) {
            (void)snprintf(text, sizeof text, "%.2f", mean);
        }
        gf_str_addf(out, COLUMN, "", text);
    }
    gf_str_add(out, "\n");
    size_t count = 0;
    double mean = gf_bench_mean(report, NULL, &count);
    if (count > 0) {
        gf_str_addf(out, "to the fastest peer of each of %zu workloads, geometric mean: %.3f\n", count, mean);
    }
}

/* ---- JSON ---- */

static void put_key(gf_str *out, const char *key, const char *value) {
    gf_str_addf(out, "\"%s\": ", key);
    gf_json_string(out, value);
}

static void put_times(const gf_bench_times *times, gf_str *out) {
    for (size_t i = 0; i < times->count; i++) {
        gf_str_addf(out, "%s%.9g", i > 0 ? ", " : "[", times->seconds[i]);
    }
    gf_str_add(out, times->count > 0 ? "]" : "[]");
}

typedef enum peer_member { PEER_SECONDS, PEER_RATIO, PEER_TIMES, PEER_FAILED } peer_member;

static void put_peers(const gf_bench_result *result, const gf_bench_entry *ours, peer_member member, gf_str *out) {
    const char *comma = "";
    gf_str_add(out, "{");
    for (size_t i = 0; i < result->peer_count; i++) {
        const gf_bench_entry *peer = &result->peers[i];
        if (peer->ok == (member == PEER_FAILED) || (member == PEER_RATIO && !ours->ok)) {
            continue;
        }
        gf_str_add(out, comma);
        gf_json_string(out, peer->name);
        gf_str_add(out, ": ");
        switch (member) {
        case PEER_SECONDS:
            gf_str_addf(out, "%.9g", peer->times.median);
            break;
        case PEER_RATIO:
            gf_str_addf(out, "%.4g", gf_bench_ratio(ours, peer));
            break;
        case PEER_TIMES:
            put_times(&peer->times, out);
            break;
        case PEER_FAILED:
            gf_json_string(out, peer->why);
            break;
        }
        comma = ", ";
    }
    gf_str_add(out, "}");
}

static void put_object(const gf_bench_result *result, const gf_bench_entry *ours, gf_str *out) {
    gf_str_add(out, "{");
    put_key(out, "name", result->name);
    if (strcmp(result->name, result->label) != 0) {
        gf_str_add(out, ", ");
        put_key(out, "label", result->label);
    }
    gf_str_add(out, ", ");
    put_key(out, "size", result->size);
    gf_str_add(out, ", ");
    put_key(out, "device", ours->device);
    gf_str_add(out, ", ");
    put_key(out, "strategy", ours->name);
    if (strcmp(ours->name, ours->took) != 0) {
        gf_str_add(out, ", ");
        put_key(out, "took", ours->took);
    }
    if (strcmp(result->name, ours->program) != 0) {
        gf_str_add(out, ", ");
        put_key(out, "program", ours->program);
    }
    gf_str_addf(out, ", \"seconds\": %.9g, \"peers\": ", ours->times.median);
    put_peers(result, ours, PEER_SECONDS, out);
    gf_str_addf(out, ", \"ok\": %s,\n  \"ratios\": ", ours->ok ? "true" : "false");
    put_peers(result, ours, PEER_RATIO, out);
    const gf_bench_entry *best = gf_bench_best(result);
    if (best != NULL) {
        gf_str_add(out, ", ");
        put_key(out, "fastest_peer", best->name);
    }
    gf_str_addf(out, ", \"threads\": %u, \"min\": %.9g, \"spread\": %.3g, \"compile_seconds\": %.4g, ", result->threads,
                ours->times.least, spread_of(&ours->times), ours->compile_seconds);
    gf_str_addf(out, "\"first_seconds\": %.4g,\n  \"times\": ", ours->first_seconds);
    put_times(&ours->times, out);
    gf_str_add(out, ", \"peer_times\": ");
    put_peers(result, ours, PEER_TIMES, out);
    gf_str_add(out, ", \"peers_failed\": ");
    put_peers(result, ours, PEER_FAILED, out);
    gf_str_add(out, "}");
}

void gf_bench_put_json(const gf_bench_report *report, gf_str *out) {
    const char *before = "[";
    for (size_t i = 0; i < report->count; i++) {
        for (size_t j = 0; j < report->results[i].our_count; j++) {
            gf_str_add(out, before);
            put_object(&report->results[i], &report->results[i].ours[j], out);
            before = ",\n ";
        }
    }
    gf_str_add(out, strcmp(before, "[") == 0 ? "[]\n" : "]\n");
}
