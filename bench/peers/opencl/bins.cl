/* Kernels of histogram and kmeans: an item owns a chunk and counts for itself. */
#define VALUES 256

/* Four tables, so that equal neighbours do not wait for one another. */
__kernel void histogram_count(uint n, uint chunk, __global const uchar *restrict x, __global uint *restrict count) {
    uint from = min((uint)get_global_id(0) * chunk, n);
    uint to = from + min(chunk, n - from);
    uint table[4][VALUES];
    for (uint v = 0; v < VALUES; v++)
        table[0][v] = table[1][v] = table[2][v] = table[3][v] = 0;
    uint i = from;
    for (; i + 8 <= to; i += 8) {
        ulong many = as_ulong(vload8(0, x + i));
        table[0][many & 255]++;
        table[1][many >> 8 & 255]++;
        table[2][many >> 16 & 255]++;
        table[3][many >> 24 & 255]++;
        table[0][many >> 32 & 255]++;
        table[1][many >> 40 & 255]++;
        table[2][many >> 48 & 255]++;
        table[3][many >> 56]++;
    }
    for (; i < to; i++)
        table[0][x[i]]++;
    for (uint v = 0; v < VALUES; v++) {
        uint sum = table[0][v] + table[1][v] + table[2][v] + table[3][v];
        if (sum != 0)
            atomic_add(&count[v], sum);
    }
}

__kernel void histogram_begin(__global const uint *restrict count, __global uint *restrict begin) {
    uint before = 0;
    for (uint v = 0; v < VALUES; v++) {
        begin[v] = before;
        before += count[v];
    }
}

#ifdef DIMS /* and CENTRES: options of the build */
#define LANES 16 /* centres that are compared at once */
#define TEAMS ((CENTRES + LANES - 1) / LANES)

/* The centres side by side per dimension; what fills up the last team is never nearest. */
__kernel void kmeans_turn(__global const float *restrict centre, __global float *restrict turned) {
    uint c = get_global_id(0);
    for (uint j = 0; j < DIMS; j++)
        turned[(c / LANES * DIMS + j) * LANES + c % LANES] = c < CENTRES ? centre[c * DIMS + j] : INFINITY;
}

float least_lane(float16 v) {
    float8 a = fmin(v.lo, v.hi);
    float4 b = fmin(a.lo, a.hi);
    return fmin(fmin(b.x, b.y), fmin(b.z, b.w));
}

uint first_lane(int16 is, uint16 number) {
    uint16 v = is ? number : (uint16)0xffffffffu;
    uint8 a = min(v.lo, v.hi);
    uint4 b = min(a.lo, a.hi);
    return min(min(b.x, b.y), min(b.z, b.w));
}

/* Labels the points of a chunk and adds them up by centre. */
__kernel void kmeans_assign(uint n, uint chunk, uint first_turn, __global const float *restrict x,
                            __global const float *restrict turned, __global uint *restrict label,
                            __global float *restrict sums, __global uint *restrict members,
                            __global uint *restrict moved) {
    const uint16 lanes = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uint g = get_global_id(0);
    uint from = min(g * chunk, n);
    uint to = from + min(chunk, n - from);
    float sum[CENTRES * DIMS];
    uint some[CENTRES];
    uint changed = 0;
    for (uint c = 0; c < CENTRES; c++)
        some[c] = 0;
    for (uint i = 0; i < CENTRES * DIMS; i++)
        sum[i] = 0;
    for (uint p = from; p < to; p++) {
        float best = INFINITY;
        uint nearest = 0;
        for (uint team = 0; team < TEAMS; team++) {
            float16 square = 0;
            for (uint j = 0; j < DIMS; j++) {
                float16 d = x[p * DIMS + j] - vload16(team * DIMS + j, turned);
                square += d * d;
            }
            float least = least_lane(square);
            if (least < best) {
                best = least;
                nearest = team * LANES + first_lane(square == least, lanes);
            }
        }
        changed += first_turn || label[p] != nearest;
        label[p] = nearest;
        some[nearest]++;
        for (uint j = 0; j < DIMS; j++)
            sum[nearest * DIMS + j] += x[p * DIMS + j];
    }
    for (uint c = 0; c < CENTRES; c++)
        members[g * CENTRES + c] = some[c];
    for (uint i = 0; i < CENTRES * DIMS; i++)
        sums[g * CENTRES * DIMS + i] = sum[i];
    if (changed != 0)
        atomic_add(moved, changed);
}

/* An item per coordinate of a centre. */
__kernel void kmeans_centres(uint chunks, __global const float *restrict sums, __global const uint *restrict some,
                             __global float *restrict centre, __global uint *restrict members) {
    uint i = get_global_id(0);
    uint c = i / DIMS;
    uint points = 0;
    float sum = 0;
    for (uint g = 0; g < chunks; g++) {
        points += some[g * CENTRES + c];
        sum += sums[g * CENTRES * DIMS + i];
    }
    if (points != 0)
        centre[i] = sum / (float)points;
    if (i % DIMS == 0)
        members[c] = points;
}
#endif
