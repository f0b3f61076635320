// ptx: stages
// Three segments that nobody waits between are one kernel, with workgroup arrays as the middle one has them; the last
// one waits for them, and is another.
program joined;

param u32 n;
in u32 x[n];
inout u32 y[3];
shared u32 part[256];

kernel groups(4) workgroup(256) {
    forall i in 0 .. n {
        atomic_add(y[0], x[i]);
    }
    part[lid.x] = gid.x;
    barrier;
    if part[255 - lid.x] == 300 {
        atomic_add(y[1], 1);
    }
    forall i in 0 .. n / 2 {
        atomic_max(y[2], x[i]);
    }
    grid_barrier;
    if gid.x == 0 {
        y[0] += y[1];
    }
}
