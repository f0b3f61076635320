// Under a fixpoint, compared by name: a pass with one swap; `a` is stable once both hold the same.
//! args --in a=0,0,0,0
//! out a: 0 1 2 3
//! passes 4
//! converged yes
//! case cut after an odd number
//! args --in a=0,0,0,0 --passes 3
//! out a: 0 1 2 3
//! passes 3
//! converged no
//! case cut after an even number
//! args --in a=0,0,0,0 --passes 2
//! out a: 0 1 2 2
//! passes 2
//! converged no
program b54_fixpoint;

inout   u32 a[];
scratch u32 b[len(a)];

kernel (len(a)) workgroup(3) fixpoint(100) on (a) {
    let v = gid.x;
    if v > 0 { b[v] = min(a[v - 1] + 1, v); }
    swap(a, b);
}
