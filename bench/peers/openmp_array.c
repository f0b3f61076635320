/* scan, sort, histogram. */
#include "openmp.h"
#include <immintrin.h>

static size_t n;

/* The part of a thread: whole lines, so that no two write one. */
static size_t part_begin(size_t part, size_t parts) {
    size_t lines = n / 16 * part / parts;
    return part == parts ? n : lines * 16;
}

/* ---- scan: sums of blocks, then the blocks, piece by piece so that the second look comes from the cache ---- */

enum { PIECE = 1 << 16 }; /* elements of one thread between two barriers: 256 KiB of input */

static uint32_t *x, *y;
static uint32_t total;

void scan_load(void) {
    x = peer_read("x", "u32", &n);
    y = spread_alloc(n * sizeof *y);
}

void scan_reset(void) {
}

static uint32_t add_up(const uint32_t *from, size_t count) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += from[i];
    }
    return sum;
}

/* Sixteen at a time: four steps of shifted additions, and the sum so far. */
static uint32_t scan_block(size_t begin, size_t end, uint32_t sum) {
    size_t i = begin;
#ifdef __AVX512F__
    const __m512i zero = _mm512_setzero_si512();
    for (; i + 16 <= end; i += 16) {
        __m512i a = _mm512_loadu_si512(x + i);
        __m512i s = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 15));
        s = _mm512_add_epi32(s, _mm512_alignr_epi32(s, zero, 14));
        s = _mm512_add_epi32(s, _mm512_alignr_epi32(s, zero, 12));
        s = _mm512_add_epi32(s, _mm512_alignr_epi32(s, zero, 8));
        s = _mm512_add_epi32(s, _mm512_set1_epi32((int)sum));
        _mm512_stream_si512((__m512i *)(void *)(y + i), s);
        sum = (uint32_t)_mm_extract_epi32(_mm512_extracti32x4_epi32(s, 3), 3);
    }
#endif
    for (; i < end; i++) {
        sum += x[i];
        y[i] = sum;
    }
    _mm_sfence(); /* orders what went past the cache */
    return sum;
}

void scan_run(void) {
    uint32_t sums[256 * 16]; /* a line per thread */
    uint32_t carry = 0;
#pragma omp parallel
    {
        size_t threads = (size_t)omp_get_num_threads();
        size_t me = (size_t)omp_get_thread_num();
        size_t piece = threads * PIECE;
        uint32_t sum = 0;
        for (size_t begin = 0; begin < n; begin += piece) {
            size_t from = begin + me * PIECE < n ? begin + me * PIECE : n;
            size_t to = from + PIECE < n ? from + PIECE : n;
            sums[(begin / piece % 2 * 128 + me) * 16] = add_up(x + from, to - from);
#pragma omp barrier
            uint32_t mine = sum;
            for (size_t t = 0; t < threads; t++) {
                mine = t == me ? sum : mine;
                sum += sums[(begin / piece % 2 * 128 + t) * 16];
            }
            (void)scan_block(from, to, mine);
        }
#pragma omp single
        carry = sum;
    }
    total = carry;
}

void scan_write(void) {
    peer_write("y", "u32", y, n);
    peer_write("total", "u32", &total, 1);
}

/* ---- sort: radix, 8 bits at a time, keys gathered to whole lines before they are written ---- */

enum { BITS = 8, DIGITS = 1 << BITS, LINE = CACHE_LINE / 4 };

static uint32_t *keys, *given, *sorted;

/* What a thread knows of its part. */
typedef struct bins {
    size_t place[DIGITS];
    _Alignas(CACHE_LINE) uint32_t lines[DIGITS][LINE];
} bins;

static bins *all_bins;

void sort_load(void) {
    given = peer_read("key", "u32", &n);
    keys = spread_alloc(n * sizeof *keys);
    sorted = spread_alloc(n * sizeof *sorted);
    all_bins = peer_alloc((size_t)peer_threads * sizeof *all_bins);
}

void sort_reset(void) {
#pragma omp parallel
    {
        size_t begin = part_begin((size_t)omp_get_thread_num(), (size_t)omp_get_num_threads());
        size_t end = part_begin((size_t)omp_get_thread_num() + 1, (size_t)omp_get_num_threads());
        memcpy(keys + begin, given + begin, (end - begin) * sizeof *keys);
    }
}

static void count_digits(const uint32_t *from, size_t begin, size_t end, unsigned shift, size_t count[DIGITS]) {
    uint32_t tables[4][DIGITS] = {{0}};
    size_t i = begin;
    for (; i + 4 <= end; i += 4) {
        for (size_t j = 0; j < 4; j++) {
            tables[j][from[i + j] >> shift & (DIGITS - 1)]++;
        }
    }
    for (; i < end; i++) {
        tables[0][from[i] >> shift & (DIGITS - 1)]++;
    }
    for (size_t d = 0; d < DIGITS; d++) {
        count[d] = (size_t)tables[0][d] + tables[1][d] + tables[2][d] + tables[3][d];
    }
}

/* Counts become places, digit by digit over all threads. */
static void place_bins(size_t threads) {
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        for (size_t t = 0; t < threads; t++) {
            size_t count = all_bins[t].place[d];
            all_bins[t].place[d] = sum;
            sum += count;
        }
    }
}

static void write_line(uint32_t *to, const uint32_t *line) {
#ifdef __AVX512F__
    _mm512_stream_si512((__m512i *)(void *)to, _mm512_load_si512(line));
#else
    memcpy(to, line, CACHE_LINE);
#endif
}

/* The key for place p waits in slot p % LINE of its digit's line. A line that is full is written as one, except the
 * first of a digit, which other keys share. */
static void scatter(const uint32_t *from, uint32_t *to, size_t begin, size_t end, unsigned shift, bins *mine) {
    size_t start[DIGITS];
    memcpy(start, mine->place, sizeof start);
    for (size_t i = begin; i < end; i++) {
        uint32_t key = from[i];
        uint32_t d = key >> shift & (DIGITS - 1);
        size_t place = mine->place[d]++;
        mine->lines[d][place % LINE] = key;
        if (place % LINE == LINE - 1) {
            size_t line = place - (LINE - 1);
            if (line >= start[d]) {
                write_line(to + line, mine->lines[d]);
            } else {
                memcpy(to + start[d], mine->lines[d] + start[d] % LINE, (place + 1 - start[d]) * sizeof *to);
            }
        }
    }
    for (size_t d = 0; d < DIGITS; d++) {
        size_t stop = mine->place[d];
        size_t line = stop - stop % LINE;
        size_t first = line > start[d] ? line : start[d];
        memcpy(to + first, mine->lines[d] + first % LINE, (stop - first) * sizeof *to);
    }
    _mm_sfence();
}

void sort_run(void) {
#pragma omp parallel
    {
        size_t threads = (size_t)omp_get_num_threads();
        size_t me = (size_t)omp_get_thread_num();
        size_t begin = part_begin(me, threads);
        size_t end = part_begin(me + 1, threads);
        uint32_t *from = keys;
        uint32_t *to = sorted;
        for (unsigned shift = 0; shift < 32; shift += BITS) {
            count_digits(from, begin, end, shift, all_bins[me].place);
#pragma omp barrier
#pragma omp single
            place_bins(threads);
            scatter(from, to, begin, end, shift, &all_bins[me]);
#pragma omp barrier
            uint32_t *other = from;
            from = to;
            to = other;
        }
    }
}

void sort_write(void) {
    peer_write("key", "u32", keys, n);
}

/* ---- histogram: tables of each thread ---- */

enum { VALUES = 256, TABLES = 8 };

static uint8_t *bytes;
static uint32_t counts[VALUES], begins[VALUES];

void histogram_load(void) {
    bytes = peer_read("x", "u8", &n);
}

void histogram_reset(void) {
}

/* Tables of their own for neighbours: equal values do not wait for each other. */
static void count_bytes(size_t begin, size_t end, uint32_t count[VALUES]) {
    uint32_t tables[TABLES][VALUES] = {{0}};
    size_t i = begin;
    for (; i + 8 <= end; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        for (unsigned j = 0; j < 8; j++) {
            tables[j % TABLES][word >> 8 * j & 0xff]++;
        }
    }
    for (; i < end; i++) {
        tables[0][bytes[i]]++;
    }
    for (size_t v = 0; v < VALUES; v++) {
        for (size_t t = 0; t < TABLES; t++) {
            count[v] += tables[t][v];
        }
    }
}

void histogram_run(void) {
    memset(counts, 0, sizeof counts);
#pragma omp parallel
    {
        uint32_t mine[VALUES] = {0};
        count_bytes(part_begin((size_t)omp_get_thread_num(), (size_t)omp_get_num_threads()),
                    part_begin((size_t)omp_get_thread_num() + 1, (size_t)omp_get_num_threads()), mine);
#pragma omp critical
        for (size_t v = 0; v < VALUES; v++) {
            counts[v] += mine[v];
        }
    }
    uint32_t sum = 0;
    for (size_t v = 0; v < VALUES; v++) {
        begins[v] = sum;
        sum += counts[v];
    }
}

void histogram_write(void) {
    peer_write("count", "u32", counts, VALUES);
    peer_write("begin", "u32", begins, VALUES);
}
