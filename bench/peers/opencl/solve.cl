/* Kernels of jacobi and cg. */
#define ROWS 4

__kernel void copy_field(uint count, __global const float *restrict from, __global float *restrict to) {
    uint i = get_global_id(0);
    if (i < count)
        to[i] = from[i];
}

/* An item owns ROWS rows, by vectors: compilers do not see through items as well as that. */
__kernel void jacobi(uint w, uint h, __global const float *restrict u, __global const float *restrict f,
                     __global float *restrict other, __global float *restrict part) {
    uint from = max((uint)get_global_id(0) * ROWS, 1u);
    uint to = min((uint)(get_global_id(0) + 1) * ROWS, h - 1);
    float16 worst = 0;
    for (uint y = from; y < to; y++) {
        uint end = (y + 1) * w - 1;
        uint i = y * w + 1;
        for (; i + 16 <= end; i += 16) {
            float16 next = 0.25f * (vload16(0, u + i - 1) + vload16(0, u + i + 1) + vload16(0, u + i - w) +
                                    vload16(0, u + i + w) + vload16(0, f + i));
            float16 d = fabs(next - vload16(0, u + i));
            worst = worst > d ? worst : d;
            vstore16(next, 0, other + i);
        }
        for (; i < end; i++) {
            float next = 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] + f[i]);
            worst.x = fmax(worst.x, fabs(next - u[i]));
            other[i] = next;
        }
    }
    part[get_global_id(0)] = max_vector(worst);
}

__kernel void cg_start(uint n, __global const uint *restrict row, __global const uint *restrict col,
                       __global const float *restrict val, __global const float *restrict b,
                       __global const float *restrict x, __global float *restrict r, __global float *restrict p,
                       __global float *restrict part) {
    __local float square[GROUP];
    uint v = get_global_id(0);
    uint t = get_local_id(0);
    float s = 0;
    if (v < n) {
        s = b[v];
        for (uint e = row[v]; e < row[v + 1]; e++)
            s -= val[e] * x[col[e]];
        r[v] = s;
        p[v] = s;
    }
    square[t] = s * s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        part[get_group_id(0)] = add_group(square);
}

/* An item owns GROUP rows. */
__kernel void cg_multiply(uint n, __global const uint *restrict row, __global const uint *restrict col,
                          __global const float *restrict val, __global const float *restrict p,
                          __global float *restrict q, __global float *restrict part) {
    uint from = get_global_id(0) * GROUP;
    uint to = min(from + GROUP, n);
    float sum = 0;
    uint e = row[from];
    for (uint v = from; v < to; v++) {
        float s = 0;
        uint end = row[v + 1];
        for (; e < end; e++)
            s += val[e] * p[col[e]];
        q[v] = s;
        sum += p[v] * s;
    }
    part[get_global_id(0)] = sum;
}

/* scalar[0], scalar[1]: |r|^2 before and after, in turns; scalar[2]: p q. */
__kernel void cg_residual(uint n, uint turn, __global const float *restrict scalar, __global float *restrict r,
                          __global const float *restrict q, __global float *restrict part) {
    __local float square[GROUP];
    uint v = get_global_id(0);
    uint t = get_local_id(0);
    float s = 0;
    if (v < n) {
        s = r[v] - scalar[turn] / scalar[2] * q[v];
        r[v] = s;
    }
    square[t] = s * s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        part[get_group_id(0)] = add_group(square);
}

__kernel void cg_step(uint n, uint turn, __global const float *restrict scalar, __global float *restrict x,
                      __global const float *restrict r, __global float *restrict p) {
    uint v = get_global_id(0);
    float alpha = scalar[turn] / scalar[2];
    float beta = scalar[1 - turn] / scalar[turn];
    if (v < n) {
        float d = p[v];
        x[v] += alpha * d;
        p[v] = r[v] + beta * d;
    }
}
