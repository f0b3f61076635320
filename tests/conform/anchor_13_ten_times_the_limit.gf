// A one-axis grid far over what a device holds, out[i] = i + 1 after two barriers: none is skipped.
//! long
//! args --set n=300000
//! out wrong: 0
//! races no
//! case small
//! args --set n=1000
//! out wrong: 0
program anchor13;

param   u32 n;
out     u32 wrong[1];
scratch u32 a[n];
scratch u32 b[n];

kernel (n) workgroup(32) {
    let i = gid.x;
    a[n - 1 - i] = n - 1 - i;
    grid_barrier;
    b[i] = a[i] + 1;
    grid_barrier;
    if b[n - 1 - i] != n - i { atomic_add(wrong[0], 1); }
}
