// Operands of collectives are uses: on one rank they are copies of what earlier segments wrote.
//! args --in a=1,2,3
//! out a: 2 3 4
//! out b: 2 3 4
//! out c: 3 4 5
//! out d: 12 13 14
program b24_collectives;

inout u32 a[3];
out   u32 b[3];
out   u32 c[3];
out   u32 d[3];

kernel (3) workgroup(2) {
    let v = gid.x;
    a[2 - v] += 1;
    all_gather(a, b);
    c[v] = b[v] + 1;
    reduce_scatter(c, d, add);
    all_reduce(c, max);
    d[v] += 9;
    broadcast(d, rank);
}
