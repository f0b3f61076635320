//! args --set n=5 --set k=0 --in q=7 --in seen=7
//! out y: 7 7 7 7 7
//! out q: 7
//! out z: 0 7 0 7 0
//! out seen: 7
//! races no
//! case together they go once around: the same element is left
//! args --set n=4 --set k=0x40000000 --in q=7 --in seen=9
//! out q: 7
//! out seen: 2147483657
//! races no
//
// Who adds 0 to an element wants to know what is there, and what invocations add may come to 0.
program combined_adds_of_zero;

param u32 n;
param u32 k;
inout u32 q[1];
inout u32 seen[1];
out u32 y[n];
out u32 z[n];

kernel (n) {
    let i = gid.x;
    region "all" {
        y[i] = atomic_add(q[0], k);
    }
    grid_barrier;
    region "some" {
        if i % 2 == 1 {
            z[i] = atomic_add(seen[0], k);
        }
    }
}
