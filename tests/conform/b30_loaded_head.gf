// The head loads what the body writes: it is evaluated once per turn for the whole grid.
//! args --set n=5
//! out y: 3 3 3 3 3
//! out flag: 3
program b30;

param u32 n;
out   u32 flag[1];
out   u32 y[n];

kernel (n) workgroup(2) {
    grid while flag[0] < 3 {
        if gid.x == n - 1 { flag[0] += 1; }
        y[gid.x] += 1;
    }
}
