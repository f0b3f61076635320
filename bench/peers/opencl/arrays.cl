/* Kernels of scan and sort: an item owns a chunk of consecutive elements, as is best on a CPU. */
#define DIGITS 256
#define LINE 16 /* keys that are kept before they are written, a line of the cache */

/* Whole lines go past the cache: nobody reads them in this launch. */
void store_line(uint16 keys, __global uint *to) {
#if defined(__has_builtin) && __has_builtin(__builtin_nontemporal_store)
    __builtin_nontemporal_store(keys, (__global uint16 *)to);
#else
    *(__global uint16 *)to = keys;
#endif
}

__kernel void scan_sums(uint n, uint chunk, __global const uint *restrict x, __global uint *restrict sums) {
    uint g = get_global_id(0);
    uint from = min(g * chunk, n);
    uint to = from + min(chunk, n - from);
    uint16 many = 0;
    uint i = from;
    for (; i + 16 <= to; i += 16)
        many += vload16(0, x + i);
    uint8 a = many.lo + many.hi;
    uint4 b = a.lo + a.hi;
    uint sum = b.x + b.y + b.z + b.w;
    for (; i < to; i++)
        sum += x[i];
    sums[g] = sum;
}

/* One item: exclusive sums in place, and the whole. */
__kernel void scan_chunks(uint count, __global uint *restrict sums, __global uint *restrict total) {
    uint before = 0;
    for (uint g = 0; g < count; g++) {
        uint sum = sums[g];
        sums[g] = before;
        before += sum;
    }
    *total = before;
}

/* Inclusive sums of 16. */
uint16 scan_line(uint16 v) {
    v += (uint16)(0, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se);
    v += (uint16)(0, 0, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd);
    v += (uint16)(0, 0, 0, 0, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb);
    v += (uint16)(0, 0, 0, 0, 0, 0, 0, 0, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7);
    return v;
}

/* `chunk` is a multiple of LINE. */
__kernel void scan_write(uint n, uint chunk, __global const uint *restrict x, __global const uint *restrict sums,
                         __global uint *restrict y) {
    uint g = get_global_id(0);
    uint from = min(g * chunk, n);
    uint to = from + min(chunk, n - from);
    uint sum = sums[g];
    uint i = from;
    for (; i + LINE <= to; i += LINE) {
        uint16 through = scan_line(vload16(0, x + i)) + sum;
        store_line(through, y + i);
        sum = through.sf;
    }
    for (; i < to; i++) {
        sum += x[i];
        y[i] = sum;
    }
}

__kernel void sort_count(uint n, uint chunk, uint shift, __global const uint *restrict key,
                         __global uint *restrict hist) {
    uint g = get_global_id(0);
    uint chunks = get_global_size(0);
    uint from = min(g * chunk, n);
    uint to = from + min(chunk, n - from);
    uint count[2][DIGITS]; /* two, so that equal neighbours do not wait for one another */
    for (uint d = 0; d < DIGITS; d++)
        count[0][d] = count[1][d] = 0;
    uint i = from;
    for (; i + 2 <= to; i += 2) {
        count[0][(key[i] >> shift) % DIGITS]++;
        count[1][(key[i + 1] >> shift) % DIGITS]++;
    }
    if (i < to)
        count[0][(key[i] >> shift) % DIGITS]++;
    for (uint d = 0; d < DIGITS; d++)
        hist[d * chunks + g] = count[0][d] + count[1][d];
}

__kernel void sort_offsets(uint count, __global uint *restrict hist) {
    uint before = 0;
    for (uint i = 0; i < count; i++) {
        uint here = hist[i];
        hist[i] = before;
        before += here;
    }
}

__kernel void sort_scatter(uint n, uint chunk, uint shift, __global const uint *restrict key,
                           __global const uint *restrict hist, __global uint *restrict sorted) {
    uint g = get_global_id(0);
    uint chunks = get_global_size(0);
    uint from = min(g * chunk, n);
    uint to = from + min(chunk, n - from);
    uint first[DIGITS]; /* where the first key of the digit goes */
    uint at[DIGITS];    /* where the next one goes */
    uint line[DIGITS * LINE] __attribute__((aligned(64)));
    for (uint d = 0; d < DIGITS; d++)
        first[d] = at[d] = hist[d * chunks + g];
    for (uint i = from; i < to; i++) {
        uint k = key[i];
        uint d = (k >> shift) % DIGITS;
        uint place = at[d]++;
        line[d * LINE + place % LINE] = k;
        if (place % LINE == LINE - 1) {
            uint begin = place - (LINE - 1);
            if (begin >= first[d]) {
                store_line(*(uint16 *)(line + d * LINE), sorted + begin);
            } else {
                for (uint j = first[d]; j <= place; j++)
                    sorted[j] = line[d * LINE + j % LINE];
            }
        }
    }
    for (uint d = 0; d < DIGITS; d++)
        for (uint j = max(first[d], at[d] / LINE * LINE); j < at[d]; j++)
            sorted[j] = line[d * LINE + j % LINE];
}
