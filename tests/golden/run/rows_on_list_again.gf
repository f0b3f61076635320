//! args --set n=4 --in row=0,5003,0,1300,1300 --in col=random:5:0:70 --size col=5003 --repeat 3
//! out to: 2334 2227 2191 2151
//! out sum: 4561 4418 4342 4485
// One list in a run, and three runs of one kernel: what a run leaves behind is nothing to the next.
program rows_on_list_again;

param u32 n;
in  u32 row[n + 1];
in  u32 col[];
out u32 to[n];
out u32 sum[n];

kernel (n) workgroup(32) {
    let v = gid.x;
    for e in row[v] .. row[v + 1] {
        atomic_add(to[col[e] % n], v + 1);
    }
    grid_barrier;
    sum[v] = to[v] + to[(v + 1) % n];
}
