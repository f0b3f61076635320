/* Kernels of the graph programs that sweep over all vertices. Plain loads before atomics: a stale value only costs the
 * atomic that would have been done anyway. */
#define INF 0xffffffffu

__kernel void flows_seed(uint n, uint targets, __global const uint *restrict target, __global uint *restrict state,
                         __global uint *restrict fresh, __global uint *restrict arriving) {
    uint v = get_global_id(0);
    if (v >= n)
        return;
    uint mine = 0;
    for (uint r = 0; r < targets; r++)
        mine |= target[r] == v ? 1u << r : 0;
    state[v] = mine;
    fresh[v] = mine;
    arriving[v] = 0;
}

__kernel void flows_hop(uint n, __global const uint *restrict row, __global const uint *restrict col,
                        __global const uint *restrict state, __global const uint *restrict fresh,
                        __global uint *restrict arriving, __global uint *restrict more) {
    uint v = get_global_id(0);
    if (v == 0)
        *more = 0;
    if (v >= n)
        return;
    uint bits = fresh[v];
    if (bits == 0)
        return;
    for (uint e = row[v]; e < row[v + 1]; e++) {
        uint w = col[e];
        uint lacking = bits & ~state[w];
        if (lacking == 0)
            continue;
        volatile __global uint *there = &arriving[w];
        if ((*there & lacking) != lacking)
            atomic_or(there, lacking);
    }
}

#define MERGED 1024

/* An item owns MERGED vertices and counts for itself, a lane per rule. */
__kernel void flows_merge(uint n, uint hops, __global uint *restrict state, __global uint *restrict fresh,
                          __global uint *restrict arriving, __global uint *restrict count,
                          __global uint *restrict deepest, __global uint *restrict more) {
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uint from = get_global_id(0) * MERGED;
    uint to = min(from + MERGED, n);
    uint16 low = 0;
    uint16 high = 0;
    uint any = 0;
    for (uint v = from; v < to; v++) {
        uint old = state[v];
        uint new = arriving[v] & ~old;
        arriving[v] = 0;
        fresh[v] = new;
        if (new == 0)
            continue;
        state[v] = old | new;
        any |= new;
        low += ((uint16)new >> lanes) & 1;
        high += ((uint16)new >> (lanes + 16)) & 1;
    }
    if (any == 0)
        return;
    uint found[32];
    vstore16(low, 0, found);
    vstore16(high, 0, found + 16);
    *more = 1;
    for (uint r = 0; r < 32; r++) {
        if (found[r] != 0) {
            atomic_add(&count[r], found[r]);
            deepest[r] = hops; /* all that write here write the same, and later passes write more */
        }
    }
}

/* The flag alternates between two words: a launch sets one and clears the other for the next launch. `followed` is ~ of
 * the distance at which the edges were last followed. */
__kernel void reach(uint n, __global const uint *restrict row, __global const uint *restrict col, __global uint *dist,
                    __global uint *restrict followed, __global uint *restrict changed, uint turn) {
    uint v = get_global_id(0);
    if (v == 0)
        changed[(turn + 1) % 2] = 0;
    if (v >= n)
        return;
    uint d = dist[v];
    if (d >= ~followed[v])
        return;
    followed[v] = ~d;
    bool lowered = false;
    for (uint e = row[v]; e < row[v + 1]; e++) {
        volatile __global uint *there = &dist[col[e]];
        if (*there > d + 1)
            lowered |= atomic_min(there, d + 1) > d + 1;
    }
    if (lowered)
        changed[turn % 2] = 1;
}

/* `lost`, `change`: a value per group; sums[0] becomes the score of the pages without links out, sums[1] the change. */
__kernel void rank_start(uint n, float base, __global const uint *restrict out_row, __global float *restrict score,
                         __global float *restrict share, __global float *restrict lost) {
    __local float losses[GROUP];
    uint v = get_global_id(0);
    uint t = get_local_id(0);
    float mine = 0;
    if (v < n) {
        uint links = out_row[v + 1] - out_row[v];
        score[v] = base;
        share[v] = links == 0 ? 0 : base / (float)links;
        mine = links == 0 ? base : 0;
    }
    losses[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        lost[get_group_id(0)] = add_group(losses);
}

/* An item owns GROUP vertices: the time goes into the gathers, and items that meet at a barrier only cost. */
__kernel void rank_pull(uint n, float damping, float base, __global const float *restrict sums,
                        __global const uint *restrict row, __global const uint *restrict col,
                        __global const uint *restrict out_row, __global float *restrict score,
                        __global const float *restrict share, __global float *restrict next_share,
                        __global float *restrict lost, __global float *restrict change) {
    uint from = get_global_id(0) * GROUP;
    uint to = min(from + GROUP, n);
    float same = (1.0f - damping) * base + damping * sums[0] * base;
    float losses = 0;
    float changes = 0;
    uint e = row[from];
    for (uint v = from; v < to; v++) {
        float sum = 0;
        uint end = row[v + 1];
        for (; e < end; e++)
            sum += share[col[e]];
        uint links = out_row[v + 1] - out_row[v];
        float next = same + damping * sum;
        changes += fabs(next - score[v]);
        losses += links == 0 ? next : 0;
        score[v] = next;
        next_share[v] = links == 0 ? 0 : next / (float)links;
    }
    lost[get_global_id(0)] = losses;
    change[get_global_id(0)] = changes;
}
