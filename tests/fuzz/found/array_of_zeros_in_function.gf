//! args --set n=1
// A workgroup array that nothing writes, read by a function whose value lives in the plan.
program found;

param u32 n;
out u32 a[3];
shared u32 m[3];

fn u32 first(u32 i) {
    return m[i];
}

fn wait_for_all() {
    barrier;
}

kernel (n) workgroup(1) {
    let g = first(0);
    wait_for_all();
    a[g] = 7;
}
