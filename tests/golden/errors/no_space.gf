// GF0311: a kernel without a space.
program no_space;
param u32 n;
inout u32 x[n];
shared u32 w[4];
fn u32 mine() { return lid.x; }
kernel {
    x[0] = gid.x;
    barrier;
    let a = grid_any(true);
    let b = grid_load(x[0]);
    x[1] = mine();
    grid_barrier;
    forall i in 0 .. n { x[i] = wid.x; x[i] = group_size.x; }
    w[0] = 1;
}
