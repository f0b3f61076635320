// Every form of the language once. It means nothing: it is there to be read and printed.

// The program.
program forms; // behind its name

const u32 N = 0x_ff; // a constant
const f64 E = 2.5e-3;
const bool YES = true;
param u32 n;
param f32 tol = 1e-6;

// Buffers of every kind and type.
in u8 a[];
in i8 a8[n];
in u16 b[n];
in i16 b16[n];
inout u32 c[n + 1];
inout i32 c32[2 * n];
out u64 d[len(a)] returns(1 .. len(a));
out i64 d64[n];
scratch f16 e[n];
scratch f32 f[n];
inout f64 g[n];
in u32 counts[3];
shared u32 tile[N * 2];

// A function with a value.
fn u32 add_one(u32 x, bool up) { // behind a brace
    if up {
        return x + 1;
    }
    return x;
}

fn nothing() {}

fn gf_store(u32 i) {
    c[i] = i; // behind a store
    // the end of a block
}

// The kernel.
kernel (n, n, 2) workgroup(16, 16, 1) fixpoint(n * 2) on (c, g) { // behind the kernel
    // before the first
    let v = gid.x + lid.y * wid.z + gid.linear + lid.linear + wid.linear;

    let w = grid_size.x + group_size.y + space.z + rank * ranks; // sizes
    var u32 x = 0b1010_0101;
    var bool flag;
    var f32 local[4 * N];
    local[0] = 1.0;
    local[1] += inf;
    local[2] -= nan;
    x = 1;
    x += 1;
    x -= 1;
    x *= 2;
    x /= 2;
    x %= 2;
    x &= 3;
    x |= 3;
    x ^= 3;
    x <<= 1;
    x >>= 1;
    c[v] = x;
    c[v] += 1;
    c[v] -= 1;
    c[v] *= 1;
    c[v] /= 1;
    c[v] %= 1;
    c[v] &= 1;
    c[v] |= 1;
    c[v] ^= 1;
    c[v] <<= 1;
    c[v] >>= 1;
    tile[lid.x] = -x + ~x - (-(-x));
    flag = !flag && (x < 1 || x <= 2) && x > 3 == (x >= 4) != false;
    flag = ((x & 1) == 0) ^ ((x | 2) != 0) & true;
    x = (x + 1) * 2 - (3 - 4 - (5 - 6)) / 7 % 8 << 1 >> (2 << 3);
    x = select(flag, u32(c32[0]), bitcast<u32>(f[0])) + u32(bool(x));
    x = min(x, max(1, clamp(x, 2, 3))) + abs(x) + sign(x);
    x = popcount(x) + clz(x) + ctz(x) + reverse_bits(x) + rotate_left(x, 1) + rotate_right(x, 2) + mul_hi(x, x);
    local[0] = fma(1.0, 2.0, sqrt(3.0)) + floor(1.5) + ceil(1.5) + trunc(1.5) + round(1.5);
    local[0] = exp2(1.0) + log2(1.0) + exp(1.0) + log(1.0) + sin(1.0) + cos(1.0) + tanh(1.0) + pow(1.0, 2.0);
    flag = is_nan(local[0]) || is_inf(local[0]);
    atomic_add(c[v], 1);
    x = atomic_load(c[v]);
    atomic_store(c[v], 1);
    atomic_sub(tile[0], 1);
    atomic_min(c[v], 1);
    atomic_max(c[v], 1);
    atomic_and(c[v], 1);
    atomic_or(c[v], 1);
    atomic_xor(c[v], 1);
    x = atomic_exchange(c[v], 1) + atomic_compare_exchange(c[v], 1, 2);
    flag = group_any(flag);
    flag = group_all(flag);
    x = group_min(x);
    x = group_max(x);
    x = group_add(x);
    x = group_scan_add(x);
    flag = grid_any(flag);
    flag = grid_all(flag);
    let at = grid_load(c[n - 1]);
    var u32 lo = grid_min(x);
    lo = grid_max(x);
    lo = grid_add(x);
    lo = grid_scan_add(x);
    nothing();
    x = add_one(x, flag);
    swap(f, e);
    converged(x == 0);
    if flag { // behind an if
        x = 1;
    } else if x == 2 { // behind an else if
        x = 2;
    } else {
        // in an else
        x = 3;
    }
    grid if flag {
        x = 1;
    } else {
        grid if x == 1 {
            x = 2;
        }
    }
    group if flag {}
    for i in 0 .. n {
        continue;
    }
    for i in x .. n step 2 {
        if i == 3 { break; } // one line
    }
    grid for i in 0 .. 3 {
        x = i;
    }
    group for i in 0 .. 3 {
        x = i;
    }
    while x < 3 {
        x += 1;
    }
    grid while grid_any(x < 3) {
        x += 1;
    }
    group while x < 3 {
        x += 1;
    }
    loop {
        break;
    }
    grid loop {
        break;
    }
    group loop {
        break;
    } // behind a longer block
    forall i in 0 .. n {
        c[i] = 0;
    }
    forall i in 0 .. n reduce(add x, min lo, max x, and flag, or flag) {
        x += i;
    }
    barrier;
    grid_barrier;
    region "a \"label\" \\ with\tescapes\n" {
        // a region of comments
    }
    {
        let inner = 1;
    }
    assert(x < n, "text");
    trap("tag", x);
    all_reduce(c, add);
    all_gather(a, c);
    reduce_scatter(c, c32, max);
    broadcast(c, 0);
    copy_async(tile, 0, c, v, 16, first);
    copy_async(tile, 0, c, v, 16, 7);
    copy_async(tile, 0, c, v, 16, "quoted tag");
    wait(first);
    wait(7);
    wait("quoted tag");
    x = 1 + // inside an expression
        2;
    return;

    // the end of the kernel
}

// A declaration behind the kernel.
out u32 late[];

// The end.
