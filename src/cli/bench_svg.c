/* Ratios as bars from the line of 1, on a scale where half and double are equally long: to the left ours is faster. */
#include "cli/bench_report.h"
#include <math.h>
#include <string.h>

enum { LEFT = 146, NAMES = 36, PLOT = 560, RIGHT = 70, BAR = 12, GROUP_GAP = 12, HEAD = 84, FOOT = 34 };
#define LOG_LEAST (-4.0) /* of base 2: 1/16 */
#define LOG_MOST 2.0     /* 4 */

static const char *const colours[GF_BENCH_PEERS] = {"#2563eb", "#ca8a04", "#16a34a", "#9333ea",
                                                    "#dc2626", "#0891b2", "#64748b", "#be185d"};

/* Pixels of a ratio; what lies outside is cut at the border. */
static double place(double ratio) {
    double at = fmin(fmax(log2(ratio), LOG_LEAST), LOG_MOST);
    return LEFT + (at - LOG_LEAST) / (LOG_MOST - LOG_LEAST) * PLOT;
}

/* The colour of a peer is that of its place among all peers, so that it stays where a workload lacks some. */
static const gf_bench_entry *shown(const gf_bench_report *report, size_t result, size_t peer) {
    const gf_bench_entry *entry = gf_bench_find_peer(&report->results[result], report->peers[peer]);
    bool there = entry != NULL && report->results[result].our_count > 0 &&
                 gf_bench_ratio(&report->results[result].ours[0], entry) > 0;
    return there ? entry : NULL;
}

static void put_bar(double ratio, size_t y, const char *colour, gf_str *out) {
    double one = place(1);
    double end = place(ratio);
    double x = fmin(one, end);
    gf_str_addf(out, "<rect x=\"%.1f\" y=\"%zu\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y,
                fmax(fabs(end - one), 1), BAR - 2, colour);
    gf_str_addf(out, "<text x=\"%.1f\" y=\"%zu\" class=\"%s\">%.2f</text>\n", ratio < 1 ? end - 4 : end + 4,
                y + BAR - 3, ratio < 1 ? "small end" : "small", ratio);
}

static size_t put_group(const gf_bench_report *report, size_t result, size_t y, gf_str *out) {
    size_t bars = 0;
    for (size_t j = 0; j < report->peer_count; j++) {
        const gf_bench_entry *entry = shown(report, result, j);
        if (entry != NULL) {
            put_bar(gf_bench_ratio(&report->results[result].ours[0], entry), y + bars * BAR, colours[j], out);
            bars++;
        }
    }
    gf_str_addf(out, "<text x=\"%d\" y=\"%zu\" class=\"end\">%s</text>\n", LEFT - NAMES,
                y + (bars > 0 ? bars * BAR / 2 : BAR / 2) + 3, report->results[result].label);
    return (bars > 0 ? bars : 1) * BAR;
}

static size_t put_means(const gf_bench_report *report, size_t y, gf_str *out) {
    size_t bars = 0;
    for (size_t j = 0; j < report->peer_count; j++) {
        size_t count = 0;
        double mean = gf_bench_mean(report, report->peers[j], &count);
        if (count > 0) {
            put_bar(mean, y + bars * BAR, colours[j], out);
            bars++;
        }
    }
    if (bars > 0) {
        gf_str_addf(out, "<text x=\"%d\" y=\"%zu\" class=\"end bold\">geom. mean</text>\n", LEFT - NAMES,
                    y + bars * BAR / 2 + 3);
    }
    return bars * BAR;
}

static void put_axis(size_t height, gf_str *out) {
    for (int power = (int)LOG_LEAST; power <= (int)LOG_MOST; power++) {
        double x = place(exp2(power));
        gf_str_addf(out, "<path d=\"M%.1f %d V%zu\" class=\"%s\"/>\n", x, HEAD - 10, height - FOOT,
                    power == 0 ? "one" : "grid");
        gf_str_addf(out, "<text x=\"%.1f\" y=\"%d\" class=\"small middle\">%g</text>\n", x, HEAD - 16, exp2(power));
    }
}

static void put_legend(const gf_bench_report *report, gf_str *out) {
    size_t x = LEFT;
    for (size_t j = 0; j < report->peer_count; j++) {
        size_t count = 0;
        if (!(gf_bench_mean(report, report->peers[j], &count) > 0)) {
            continue; /* it has none of the workloads */
        }
        gf_str_addf(out, "<rect x=\"%zu\" y=\"36\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, colours[j]);
        gf_str_addf(out, "<text x=\"%zu\" y=\"45\">%s</text>\n", x + 15, report->peers[j]);
        x += 15 + strlen(report->peers[j]) * 8 + 22;
    }
}

void gf_bench_put_svg(const gf_bench_report *report, gf_str *out) {
    gf_str groups = {0};
    size_t y = HEAD;
    for (size_t i = 0; i < report->count; i++) {
        y += put_group(report, i, y, &groups) + GROUP_GAP;
    }
    y += put_means(report, y, &groups);
    size_t width = LEFT + PLOT + RIGHT;
    size_t height = y + FOOT;
    gf_str_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" viewBox=\"0 0 %zu %zu\" "
                "font-family=\"DejaVu Sans, Arial, sans-serif\" font-size=\"12\">\n",
                width, height, width, height);
    gf_str_add(out, "<style>text{fill:#0f172a}.small{font-size:10px;fill:#475569}.end{text-anchor:end}"
                    ".middle{text-anchor:middle}.bold{font-weight:bold}.grid{stroke:#e2e8f0}"
                    ".one{stroke:#0f172a}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    gf_str_addf(out,
                "<text x=\"%d\" y=\"20\" class=\"bold\">time of gridfence over time of the peer (left of 1: ", LEFT);
    gf_str_add(out, "gridfence is faster)</text>\n");
    put_legend(report, out);
    put_axis(height, out);
    gf_str_add(out, groups.text != NULL ? groups.text : "");
    if (report->count > 0 && report->results[0].our_count > 0) {
        gf_str_addf(out,
                    "<text x=\"%d\" y=\"%zu\" class=\"small\">device %s, threads: %u, medians of %zu rounds in one run",
                    LEFT, height - 12, report->results[0].ours[0].device, report->results[0].threads,
                    report->results[0].ours[0].times.count);
        gf_str_add(out, "</text>\n");
    }
    gf_str_add(out, "</svg>\n");
    out->failed = out->failed || groups.failed;
    gf_str_free(&groups);
}
