// A barrier inside a block inside a region splits like one at the top; values of the region live on.
//! args --set n=6
//! out y: 101 103 105 107 109 105
//! segments 2
//! order-free yes
program k03;

param   u32 n;
out     u32 y[n];
scratch u32 a[n];

kernel (n) workgroup(4) {
    region "outer" {
        let base = 100;
        {
            let mine = gid.x;
            a[mine] = mine;
            grid_barrier;
            y[mine] = base + a[(mine + 1) % n] + mine;
        }
    }
}
