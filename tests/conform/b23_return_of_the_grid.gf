// A grid-uniform `return` at grid level, true after the 4th of 33 stretches: the rest is not launched.
//! args --set n=5
//! out y: 10 10 10 10 10
//! launches host=4
//! launches resident=4
//! passes 1
//! case one
//! args --set n=1
//! out y: 10
program b23;

param u32 n;
out   u32 y[n];
out   u32 flag[1];

kernel (n) workgroup(2) {
    let v = gid.x;
    y[v] += 1;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 2;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 3;
    grid_barrier;
    if flag[0] == 1 { return; }
    if v == 0 { flag[0] = 1; }
    y[n - 1 - v] = y[n - 1 - v] + 4;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 5;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 6;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 7;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 8;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 9;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 10;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 11;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 12;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 13;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 14;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 15;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 16;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 17;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 18;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 19;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 20;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 21;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 22;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 23;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 24;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 25;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 26;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 27;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 28;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 29;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 30;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 31;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[n - 1 - v] = y[n - 1 - v] + 32;
    grid_barrier;
    if flag[0] == 1 { return; }
    y[v] += 1000;
}
