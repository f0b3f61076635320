/* Kernels that work on queues. An item takes CHUNK places and keeps what it finds in private memory, so that the shared
 * counter is asked once for many finds. The local size is one: on a CPU a group is a turn of a thread. */
#define INF 0xffffffffu
#define CHUNK 64
#define KEPT 128

/* count[0]: places taken in the queue; count[1]: edges of what lies there. */
void flush_found(__private uint *found, uint kept, __global uint *queue, volatile __global uint *count) {
    uint at = atomic_add(&count[0], kept);
    for (uint i = 0; i < kept; i++)
        queue[at + i] = found[i];
}

__kernel void bfs_push(uint frontier, uint depth, __global const uint *restrict row, __global const uint *restrict col,
                       __global uint *level, __global const uint *restrict queue, __global uint *restrict next,
                       __global uint *restrict count) {
    uint found[KEPT];
    uint kept = 0;
    uint edges = 0;
    uint from = get_global_id(0) * CHUNK;
    uint to = min(from + CHUNK, frontier);
    for (uint i = from; i < to; i++) {
        uint v = queue[i];
        uint end = row[v + 1];
        for (uint e = row[v]; e < end; e++) {
            uint w = col[e];
            volatile __global uint *there = &level[w];
            if (*there == INF && atomic_cmpxchg(there, INF, depth + 1) == INF) {
                edges += row[w + 1] - row[w];
                found[kept++] = w;
                if (kept == KEPT) {
                    flush_found(found, kept, next, count);
                    kept = 0;
                }
            }
        }
    }
    if (kept > 0)
        flush_found(found, kept, next, count);
    if (edges > 0)
        atomic_add(&count[1], edges);
}

/* Every vertex that is not reached looks for one of the frontier among those that point to it. */
__kernel void bfs_pull(uint n, uint depth, __global const uint *restrict row, __global const uint *restrict in_row,
                       __global const uint *restrict in_col, __global uint *level, __global uint *restrict count) {
    uint found = 0;
    uint edges = 0;
    uint from = get_global_id(0) * CHUNK * 4;
    uint to = min(from + CHUNK * 4, n);
    for (uint v = from; v < to; v++) {
        if (level[v] != INF)
            continue;
        uint end = in_row[v + 1];
        for (uint e = in_row[v]; e < end; e++) {
            if (level[in_col[e]] == depth) {
                level[v] = depth + 1;
                found++;
                edges += row[v + 1] - row[v];
                break;
            }
        }
    }
    if (found > 0) {
        atomic_add(&count[0], found);
        atomic_add(&count[1], edges);
    }
}

/* The queue of a frontier that a pull has found. */
__kernel void bfs_collect(uint n, uint depth, __global const uint *restrict level, __global uint *restrict queue,
                          __global uint *restrict count) {
    uint found[KEPT];
    uint kept = 0;
    uint from = get_global_id(0) * CHUNK * 4;
    uint to = min(from + CHUNK * 4, n);
    for (uint v = from; v < to; v++) {
        if (level[v] == depth) {
            found[kept++] = v;
            if (kept == KEPT) {
                flush_found(found, kept, queue, count);
                kept = 0;
            }
        }
    }
    if (kept > 0)
        flush_found(found, kept, queue, count);
}

/* Afforest. Trees grow by hanging a root under a smaller vertex, so the last root is the least vertex of all. */
void link_vertices(uint u, uint v, volatile __global uint *comp) {
    uint a = comp[u];
    uint b = comp[v];
    while (a != b) {
        uint high = max(a, b);
        uint low = min(a, b);
        uint up = comp[high];
        if (up == low || (up == high && atomic_cmpxchg(&comp[high], high, low) == high))
            return;
        a = comp[comp[high]];
        b = comp[low];
    }
}

__kernel void comp_round(uint n, uint round, __global const uint *restrict row, __global const uint *restrict col,
                         __global uint *comp) {
    uint v = get_global_id(0);
    if (v < n && row[v] + round < row[v + 1])
        link_vertices(v, col[row[v] + round], comp);
}

__kernel void comp_rest(uint n, uint rounds, uint giant, __global const uint *restrict row,
                        __global const uint *restrict col, __global uint *comp) {
    uint v = get_global_id(0);
    if (v >= n || comp[v] == giant)
        return;
    for (uint e = row[v] + rounds; e < row[v + 1]; e++)
        link_vertices(v, col[e], comp);
}

__kernel void comp_compress(uint n, __global uint *comp) {
    uint v = get_global_id(0);
    if (v >= n)
        return;
    uint at = comp[v];
    uint up = comp[at];
    if (at == up)
        return;
    while (at != up) {
        at = up;
        up = comp[at];
    }
    comp[v] = at;
}

__kernel void comp_start(uint n, __global uint *restrict comp) {
    uint v = get_global_id(0);
    if (v < n)
        comp[v] = v;
}

__kernel void comp_count(uint n, __global const uint *restrict comp, __global uint *restrict count) {
    uint from = get_global_id(0) * CHUNK * 16;
    uint to = min(from + CHUNK * 16, n);
    uint roots = 0;
    for (uint v = from; v < to; v++)
        roots += comp[v] == v;
    atomic_add(count, roots);
}

/* Shortest paths: vertices whose distance fell below `high` go to the queue of the next round, once a round (by the
 * stamp); the others wait until their bucket is collected. */
__kernel void path_relax(uint frontier, uint high, uint round, __global const uint *restrict row,
                         __global const uint *restrict col, __global const uint *restrict weight, __global uint *dist,
                         __global uint *stamp, __global const uint *restrict queue, __global uint *restrict next,
                         __global uint *restrict count) {
    uint found[KEPT];
    uint kept = 0;
    uint from = get_global_id(0) * CHUNK;
    uint to = min(from + CHUNK, frontier);
    for (uint i = from; i < to; i++) {
        uint v = queue[i];
        uint d = *(volatile __global uint *)&dist[v];
        uint end = row[v + 1];
        for (uint e = row[v]; e < end; e++) {
            uint w = weight[e];
            uint u = col[e];
            if (w >= INF - d)
                continue;
            uint via = d + w;
            volatile __global uint *there = &dist[u];
            if (*there <= via || atomic_min(there, via) <= via)
                continue;
            if (via < high && stamp[u] != round && atomic_xchg(&stamp[u], round) != round) {
                found[kept++] = u;
                if (kept == KEPT) {
                    flush_found(found, kept, next, count);
                    kept = 0;
                }
            }
        }
    }
    if (kept > 0)
        flush_found(found, kept, next, count);
}

/* The least distance from `low` on, into count[1]. */
__kernel void path_least(uint n, uint low, __global const uint *restrict dist, __global uint *restrict count) {
    uint from = get_global_id(0) * CHUNK * 16;
    uint to = min(from + CHUNK * 16, n);
    uint least = INF;
    for (uint v = from; v < to; v++)
        least = min(least, dist[v] >= low ? dist[v] : INF);
    if (least < *(volatile __global uint *)&count[1])
        atomic_min(&count[1], least);
}

__kernel void path_collect(uint n, uint low, uint high, __global const uint *restrict dist,
                           __global uint *restrict queue, __global uint *restrict count) {
    uint found[KEPT];
    uint kept = 0;
    uint from = get_global_id(0) * CHUNK * 4;
    uint to = min(from + CHUNK * 4, n);
    for (uint v = from; v < to; v++) {
        if (dist[v] >= low && dist[v] < high) {
            found[kept++] = v;
            if (kept == KEPT) {
                flush_found(found, kept, queue, count);
                kept = 0;
            }
        }
    }
    if (kept > 0)
        flush_found(found, kept, queue, count);
}
