/* kmeans: one look at each point an iteration, 16 centres side by side, sums of each thread's own. */
#include "openmp.h"
#include <immintrin.h>
#include <math.h>

enum { LANES = 16, FEW_DIMS = 8 };

static uint32_t n, dims, k, teams, most_iterations, iterations;
static float *x, *first, *centre;
static float *turned; /* the centres, LANES of them side by side per dimension; what fills up is never nearest */
static uint32_t *label, *members;

void kmeans_load(void) {
    n = (uint32_t)peer_param("n");
    dims = (uint32_t)peer_param("dims");
    k = (uint32_t)peer_param("k");
    most_iterations = (uint32_t)peer_param("max_iter");
    teams = (k + LANES - 1) / LANES;
    x = peer_read("x", "f32", NULL);
    first = peer_read("centre", "f32", NULL);
    centre = peer_alloc((size_t)k * dims * sizeof *centre);
    turned = peer_alloc((size_t)teams * LANES * dims * sizeof *turned);
    label = spread_alloc(n * sizeof *label);
    members = peer_alloc(k * sizeof *members);
}

void kmeans_reset(void) {
    memcpy(centre, first, (size_t)k * dims * sizeof *centre);
}

static void turn_centres(void) {
    for (uint32_t c = 0; c < teams * LANES; c++) {
        for (uint32_t j = 0; j < dims; j++) {
            turned[((size_t)(c / LANES) * dims + j) * LANES + c % LANES] =
                c < k ? centre[(size_t)c * dims + j] : INFINITY;
        }
    }
}

/* The centre of a team that is nearest; `least` is its squared distance. */
static inline uint32_t nearest_of_team(const float *point, const float *team, uint32_t width, float *least) {
#ifdef __AVX512F__
    __m512 square = _mm512_setzero_ps();
    for (uint32_t j = 0; j < width; j++) {
        __m512 d = _mm512_sub_ps(_mm512_set1_ps(point[j]), _mm512_loadu_ps(team + (size_t)j * LANES));
        square = _mm512_fmadd_ps(d, d, square);
    }
    *least = _mm512_reduce_min_ps(square);
    return (uint32_t)__builtin_ctz((unsigned)_mm512_cmpeq_ps_mask(square, _mm512_set1_ps(*least)) | 1U << LANES);
#else
    float square[LANES] = {0};
    uint32_t best = 0;
    for (uint32_t j = 0; j < width; j++) {
        for (uint32_t c = 0; c < LANES; c++) {
            float d = point[j] - team[(size_t)j * LANES + c];
            square[c] += d * d;
        }
    }
    for (uint32_t c = 1; c < LANES; c++) {
        best = square[c] < square[best] ? c : best;
    }
    *least = square[best];
    return best;
#endif
}

static inline uint32_t nearest(const float *point, uint32_t width, uint32_t team_count) {
    float least = INFINITY;
    uint32_t best = 0;
    for (uint32_t team = 0; team < team_count; team++) {
        float here = 0;
        uint32_t c = nearest_of_team(point, turned + (size_t)team * width * LANES, width, &here);
        if (here < least) {
            least = here;
            best = team * LANES + c;
        }
    }
    return best;
}

/* Gives how many points of [begin, end) change their centre. Inlined with the usual shape as constants. */
static inline uint32_t assign(uint32_t begin, uint32_t end, uint32_t width, uint32_t team_count, bool all, double *sum,
                              uint32_t *count) {
    uint32_t moved = 0;
    for (uint32_t p = begin; p < end; p++) {
        const float *point = x + (size_t)p * width;
        uint32_t c = nearest(point, width, team_count);
        moved += all || label[p] != c;
        label[p] = c;
        count[c]++;
        for (uint32_t j = 0; j < width; j++) {
            sum[(size_t)c * width + j] += (double)point[j];
        }
    }
    return moved;
}

void kmeans_run(void) {
    uint32_t moved = 1;
    double *sums = peer_alloc((size_t)k * dims * sizeof *sums);
    for (iterations = 0; iterations < most_iterations && moved > 0; iterations++) {
        moved = 0;
        turn_centres();
        memset(sums, 0, (size_t)k * dims * sizeof *sums);
        memset(members, 0, k * sizeof *members);
#pragma omp parallel reduction(+ : moved)
        {
            uint32_t threads = (uint32_t)omp_get_num_threads();
            uint32_t me = (uint32_t)omp_get_thread_num();
            uint32_t begin = (uint32_t)((uint64_t)n * me / threads);
            uint32_t end = (uint32_t)((uint64_t)n * (me + 1) / threads);
            double *sum = calloc((size_t)k * dims + CACHE_LINE, sizeof *sum);
            uint32_t *count = calloc(k + CACHE_LINE, sizeof *count);
            bool usual = dims == FEW_DIMS && teams == 1;
            bool all = iterations == 0;
            moved += usual ? assign(begin, end, FEW_DIMS, 1, all, sum, count)
                           : assign(begin, end, dims, teams, all, sum, count);
#pragma omp critical
            {
                for (size_t i = 0; i < (size_t)k * dims; i++) {
                    sums[i] += sum[i];
                }
                for (uint32_t c = 0; c < k; c++) {
                    members[c] += count[c];
                }
            }
            free(sum);
            free(count);
        }
        for (size_t i = 0; i < (size_t)k * dims; i++) {
            uint32_t points = members[i / dims];
            centre[i] = points > 0 ? (float)(sums[i] / points) : centre[i];
        }
    }
    free(sums);
}

void kmeans_write(void) {
    peer_write("centre", "f32", centre, (size_t)k * dims);
    peer_write("label", "u32", label, n);
    peer_write("members", "u32", members, k);
    peer_write("iterations", "u32", &iterations, 1);
}
