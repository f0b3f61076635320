/* Group sums, shared by the kernels of float reductions: one item of the group adds up 256 values by vectors,
 * which a CPU does faster than a tree with eight barriers. A kernel leaves one value per group; `total` adds those. */
#define GROUP 256

float add_vector(float16 v) {
    float8 a = v.lo + v.hi;
    float4 b = a.lo + a.hi;
    return b.x + b.y + b.z + b.w;
}

float max_vector(float16 v) {
    float8 a = fmax(v.lo, v.hi);
    float4 b = fmax(a.lo, a.hi);
    return fmax(fmax(b.x, b.y), fmax(b.z, b.w));
}

float add_group(__local const float *values) {
    float16 sum = vload16(0, values);
    for (uint i = 1; i < GROUP / 16; i++)
        sum += vload16(i, values);
    return add_vector(sum);
}

/* One item; `part` is padded with zeros to a multiple of 16. */
__kernel void total(__global const float *restrict part, uint vectors, __global float *restrict out, uint at) {
    float16 sum = 0;
    for (uint i = 0; i < vectors; i++)
        sum += vload16(i, part);
    out[at] = add_vector(sum);
}

__kernel void greatest(__global const float *restrict part, uint vectors, __global float *restrict out, uint at) {
    float16 most = 0;
    for (uint i = 0; i < vectors; i++)
        most = fmax(most, vload16(i, part));
    out[at] = max_vector(most);
}
