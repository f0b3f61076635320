// Functions that never give anything back, and what one cannot be called for.
program no_way_through;
param u32 n;
inout u32 x[n];
inout u32 y[n];
fn u32 ever(u32 a) { region "r" { loop { x[a] = 1; } } }
fn u32 either(u32 a) { if a > 1 { loop { x[a] = 1; } } else { { loop { x[a] = 2; } } } }
fn u32 some(u32 a) { if a > 1 { return 1; } }
fn grid_inside(u32 a) { grid if n > 1 { x[a] = 1; } }
fn group_inside(u32 a) { group for i in 0 .. a { x[i] = 1; } }
fn swapped() { swap(x, y); }
fn gathered() { all_gather(x, y); }
fn said() { converged(n > 1); }
fn spread() { forall i in 0 .. n { x[i] = 1; } }
fn nothing(u32 a) { barrier; x[a] = 1; }
kernel (n) {
    let v = gid.x;
    x[v] = ever(v) + either(v) + some(v);
    let a = nothing(v);
    let b = x[nothing(v)];
    for i in 0 .. 3 { if x[i] > 1 { swapped(); gathered(); said(); spread(); grid_inside(i); group_inside(i); nothing(i); } }
    let d = x(v);
    v(3);
}
