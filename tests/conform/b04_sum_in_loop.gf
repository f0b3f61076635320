// A variable that a loop changes keeps its value across the barrier behind the loop, and across those in it.
//! args --set n=6 --in x=1,2,3,4,5,6,7
//! out y: 28 29 30 31 32 33
//! out z: 6 10 14 12 10 8
//! order-free yes
//! case one
//! args --set n=1 --in x=5
//! out y: 5
//! out z: 0
program b04;

param   u32 n;
in      u32 x[];
out     u32 y[n];
out     u32 z[n];
scratch u32 a[n];

kernel (n) workgroup(4) {
    let v = gid.x;
    var u32 s = v;
    var u32 k = 0;
    loop {
        if k == len(x) { break; }
        s += x[k];
        k += 1;
    }
    a[v] = v;
    grid_barrier;
    y[v] = s;
    var u32 t = 0;
    for turn in 0 .. 4 {
        t += a[(v + turn) % n];
        grid_barrier;
        a[v] = v;
        grid_barrier;
    }
    z[v] = t;
}
