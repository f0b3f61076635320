//! args --set n=6 --in gone=1,1,0,1,0,0
//! out a: 0 0 1 0 1 1
//! out low: 0 0 2 0 4 4
//! order-free yes
// Who has returned gives the neutral value to an operation of its workgroup, and computes none: neither stores nor atomics
// in what it would have given are done.
program returned_gives_nothing;

param u32 n;
in u32 gone[n];
out u32 a[n];
out u32 low[n];
shared u32 m[4];

fn u32 mark(u32 i) {
    a[i] += 1;
    return i;
}

kernel (n) workgroup(4) {
    if gone[gid.x] == 1 {
        return;
    }
    let least = group_min(mark(gid.x));
    m[lid.x] = least;
    grid_barrier;
    low[gid.x] = m[lid.x];
}
