/* reach, bfs, sssp: distances from a source. */
#include "openmp.h"

static graph g;
static uint32_t *dist;

static uint32_t source;

/* ---- reach: relaxation in place, sweep by sweep ---- */

static uint32_t *first, *followed;

void reach_load(void) {
    g = read_graph();
    first = peer_read("dist", "u32", NULL);
    dist = spread_alloc((size_t)g.n * sizeof *dist);
    followed = spread_alloc((size_t)g.n * sizeof *followed);
}

void reach_reset(void) {
    memcpy(dist, first, (size_t)g.n * sizeof *dist);
}

/* followed: the distance at which a vertex's edges were last followed, so that each sweep looks at what is new. */
void reach_run(void) {
    bool changed = true;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (uint32_t v = 0; v < g.n; v++) {
            followed[v] = UNREACHED;
        }
        while (changed) {
            bool mine = false;
#pragma omp barrier
#pragma omp single
            changed = false;
#pragma omp for schedule(dynamic, 1024) nowait
            for (uint32_t v = 0; v < g.n; v++) {
                uint32_t d = load(&dist[v]);
                if (d < followed[v]) {
                    followed[v] = d;
                    for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
                        mine |= lower(&dist[g.col[e]], d + 1);
                    }
                }
            }
            if (mine) {
                __atomic_store_n(&changed, true, __ATOMIC_RELAXED);
            }
#pragma omp barrier
        }
    }
}

void reach_write(void) {
    peer_write("dist", "u32", dist, g.n);
}

/* ---- bfs: push from a queue, pull by bitmaps while the front is large ---- */

enum { ALPHA = 15, BETA = 18, LOCAL = 2048, PUSH_CHUNK = 64, PULL_WORDS = 64 };

static uint32_t *queue, *behind; /* this level and the next */
static uint64_t *front, *next;   /* the same as bits */
static size_t queued;
static uint32_t depth;

void bfs_load(void) {
    g = read_graph();
    source = (uint32_t)peer_param("source");
    dist = spread_alloc((size_t)g.n * sizeof *dist);
    queue = spread_alloc((size_t)g.n * sizeof *queue);
    behind = spread_alloc((size_t)g.n * sizeof *behind);
    front = spread_alloc(((size_t)g.n / 64 + 1) * sizeof *front);
    next = spread_alloc(((size_t)g.n / 64 + 1) * sizeof *next);
}

void bfs_reset(void) {
}

/* Vertices that a thread has found, handed over in blocks. */
typedef struct found {
    size_t count;
    uint32_t vertices[LOCAL];
} found;

static void hand_over(found *mine, uint32_t *to, size_t *count) {
    size_t place = __atomic_fetch_add(count, mine->count, __ATOMIC_RELAXED);
    memcpy(to + place, mine->vertices, mine->count * sizeof *to);
    mine->count = 0;
}

/* Gives the edges that leave the next level. */
static size_t push_level(void) {
    size_t edges = 0;
    size_t count = queued;
    queued = 0;
#pragma omp parallel reduction(+ : edges)
    {
        found mine = {.count = 0};
#pragma omp for schedule(dynamic, PUSH_CHUNK) nowait
        for (size_t i = 0; i < count; i++) {
            uint32_t v = queue[i];
            for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
                uint32_t w = g.col[e];
                if (load(&dist[w]) == UNREACHED && exchange_if(&dist[w], UNREACHED, depth + 1)) {
                    edges += g.row[w + 1] - g.row[w];
                    if (mine.count == LOCAL) {
                        hand_over(&mine, behind, &queued);
                    }
                    mine.vertices[mine.count++] = w;
                }
            }
        }
        hand_over(&mine, behind, &queued);
    }
    uint32_t *other = queue;
    queue = behind;
    behind = other;
    return edges;
}

static void mark_queue(void) {
    memset(front, 0, ((size_t)g.n / 64 + 1) * sizeof *front);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < queued; i++) {
        (void)__atomic_fetch_or(&front[queue[i] / 64], (uint64_t)1 << queue[i] % 64, __ATOMIC_RELAXED);
    }
}

static bool has_parent(uint32_t v) {
    for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
        uint32_t u = g.col[e];
        if ((front[u / 64] >> u % 64 & 1) != 0) {
            return true;
        }
    }
    return false;
}

/* Gives how many vertices the next level has. */
static size_t pull_level(void) {
    size_t count = 0;
    size_t words = ((size_t)g.n + 63) / 64;
#pragma omp parallel for schedule(dynamic, PULL_WORDS) reduction(+ : count)
    for (size_t word = 0; word < words; word++) {
        uint64_t bits = 0;
        uint32_t end = word * 64 + 64 < g.n ? (uint32_t)word * 64 + 64 : g.n;
        for (uint32_t v = (uint32_t)word * 64; v < end; v++) {
            if (dist[v] == UNREACHED && has_parent(v)) {
                dist[v] = depth + 1;
                bits |= (uint64_t)1 << v % 64;
            }
        }
        next[word] = bits;
        count += (size_t)__builtin_popcountll(bits);
    }
    uint64_t *other = front;
    front = next;
    next = other;
    return count;
}

/* Back to a queue; gives the edges that leave it. */
static size_t collect_front(void) {
    size_t words = ((size_t)g.n + 63) / 64;
    size_t edges = 0;
    queued = 0;
#pragma omp parallel reduction(+ : edges)
    {
        found mine = {.count = 0};
#pragma omp for schedule(static) nowait
        for (size_t word = 0; word < words; word++) {
            if (mine.count > LOCAL - 64) {
                hand_over(&mine, queue, &queued);
            }
            for (uint64_t bits = front[word]; bits != 0; bits &= bits - 1) {
                uint32_t v = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
                edges += g.row[v + 1] - g.row[v];
                mine.vertices[mine.count++] = v;
            }
        }
        hand_over(&mine, queue, &queued);
    }
    return edges;
}

void bfs_run(void) {
#pragma omp parallel for schedule(static)
    for (uint32_t v = 0; v < g.n; v++) {
        dist[v] = UNREACHED;
    }
    dist[source] = 0;
    queue[0] = source;
    queued = 1;
    depth = 0;
    size_t edges = g.row[source + 1] - g.row[source];
    size_t before = 0;
    size_t left = g.m;
    while (queued > 0) {
        left -= edges < left ? edges : left;
        if (edges > before && edges > left / ALPHA) {
            size_t count = queued;
            size_t last = 0;
            mark_queue();
            do {
                last = count;
                count = pull_level();
                depth++;
            } while (count > 0 && (count >= last || count > g.n / BETA));
            edges = collect_front();
            before = SIZE_MAX; /* at least one level by push */
        } else {
            before = edges;
            edges = push_level();
            depth++;
        }
    }
}

void bfs_write(void) {
    peer_write("level", "u32", dist, g.n);
}

/* ---- sssp: delta-stepping with buckets of each thread's own ---- */

enum { FUSION = 1000, AHEAD = 4 };

static uint32_t *weight;
static uint32_t delta;

typedef struct bucket {
    uint32_t *items;
    size_t count, capacity;
} bucket;

/* The buckets of one thread; they keep their memory from run to run. */
typedef struct shelf {
    bucket *buckets;
    size_t count;
    char apart[CACHE_LINE];
} shelf;

static shelf *shelves;
static size_t tails[2];

void sssp_load(void) {
    g = read_graph();
    weight = peer_read("weight", "u32", NULL);
    source = (uint32_t)peer_param("source");
    delta = (uint32_t)peer_param_or("delta", 8);
    dist = spread_alloc((size_t)g.n * sizeof *dist);
    queue = spread_alloc(g.m * sizeof *queue);
    shelves = peer_alloc((size_t)peer_threads * sizeof *shelves);
    memset(shelves, 0, (size_t)peer_threads * sizeof *shelves);
}

void sssp_reset(void) {
}

static void put(shelf *mine, size_t index, uint32_t v) {
    if (index >= mine->count) {
        size_t count = index + 1 > mine->count * 2 ? index + 1 : mine->count * 2;
        mine->buckets = realloc(mine->buckets, count * sizeof *mine->buckets);
        if (mine->buckets == NULL) {
            peer_die("no", "memory");
        }
        memset(mine->buckets + mine->count, 0, (count - mine->count) * sizeof *mine->buckets);
        mine->count = count;
    }
    bucket *at = &mine->buckets[index];
    if (at->count == at->capacity) {
        at->capacity = at->capacity > 0 ? at->capacity * 2 : 1024;
        at->items = realloc(at->items, at->capacity * sizeof *at->items);
        if (at->items == NULL) {
            peer_die("no", "memory");
        }
    }
    at->items[at->count++] = v;
}

static void relax(shelf *mine, uint32_t v, uint32_t d) {
    for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
        uint32_t to = d + weight[e];
        if (lower(&dist[g.col[e]], to)) {
            put(mine, to / delta, g.col[e]);
        }
    }
}

static size_t least_bucket(const shelf *mine, size_t from) {
    while (from < mine->count && mine->buckets[from].count == 0) {
        from++;
    }
    return from < mine->count ? from : SIZE_MAX;
}

void sssp_run(void) {
    size_t nexts[2] = {0, SIZE_MAX};
    tails[0] = 1;
    tails[1] = 0;
    queue[0] = source;
#pragma omp parallel
    {
        shelf *mine = &shelves[omp_get_thread_num()];
#pragma omp for schedule(static)
        for (uint32_t v = 0; v < g.n; v++) {
            dist[v] = v == source ? 0 : UNREACHED;
        }
        for (unsigned turn = 0; nexts[turn % 2] != SIZE_MAX; turn++) {
            size_t now = nexts[turn % 2];
            size_t *next_now = &nexts[(turn + 1) % 2];
            size_t *next_tail = &tails[(turn + 1) % 2];
            size_t count = tails[turn % 2];
#pragma omp for schedule(dynamic, 64) nowait
            for (size_t i = 0; i < count; i++) {
                if (i + AHEAD < count) { /* the queue is in no order: ask for what comes next */
                    uint32_t edge = g.row[queue[i + AHEAD]];
                    __builtin_prefetch(&g.row[queue[i + 2 * AHEAD < count ? i + 2 * AHEAD : i]]);
                    __builtin_prefetch(&g.col[edge]);
                    __builtin_prefetch(&weight[edge]);
                }
                uint32_t d = load(&dist[queue[i]]);
                if (d / delta >= now) {
                    relax(mine, queue[i], d);
                }
            }
            /* While this thread has little in the same bucket it goes on alone, without a barrier. */
            while (now < mine->count && mine->buckets[now].count > 0 && mine->buckets[now].count < FUSION) {
                bucket mine_now = mine->buckets[now];
                mine->buckets[now] = (bucket){0};
                for (size_t i = 0; i < mine_now.count; i++) {
                    uint32_t d = load(&dist[mine_now.items[i]]);
                    if (d / delta >= now) {
                        relax(mine, mine_now.items[i], d);
                    }
                }
                if (mine->buckets[now].items == NULL) {
                    mine->buckets[now] = (bucket){.items = mine_now.items, .capacity = mine_now.capacity};
                } else {
                    free(mine_now.items);
                }
            }
            size_t least = least_bucket(mine, now);
            if (least != SIZE_MAX) {
#pragma omp critical
                *next_now = least < *next_now ? least : *next_now;
            }
#pragma omp barrier
#pragma omp single nowait
            {
                nexts[turn % 2] = SIZE_MAX;
                tails[turn % 2] = 0;
            }
            size_t after = *next_now;
            if (after < mine->count && mine->buckets[after].count > 0) {
                bucket *from = &mine->buckets[after];
                size_t place = __atomic_fetch_add(next_tail, from->count, __ATOMIC_RELAXED);
                memcpy(queue + place, from->items, from->count * sizeof *queue);
                from->count = 0;
            }
#pragma omp barrier
        }
    }
}

void sssp_write(void) {
    peer_write("dist", "u32", dist, g.n);
}
