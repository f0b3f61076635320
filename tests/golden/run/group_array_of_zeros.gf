//! args --set n=4
//! out a: 6 6 6 6
//! order-free yes
// A workgroup array that nothing writes is the same for all, also through a function: where a workgroup is cut at its
// barriers, who walks the plan loads it.
program group_array_of_zeros;

param u32 n;
out u32 a[n];
shared u32 m[4];

fn u32 first() {
    return m[0];
}

kernel groups(1) workgroup(4) {
    let bound = first() + 2;
    for turn in 0 .. bound {
        a[lid.x] += 1;
        barrier;
    }
    group if m[1] == first() {
        a[lid.x] += 2;
        barrier;
    }
    a[lid.x] += bound;
}
