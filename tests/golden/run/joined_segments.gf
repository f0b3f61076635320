//! args --set n=3000 --in seed=fill:1
//! out least: 1 1
//! out sums: 288 3000
//! out all: 3000
//! case one workgroup is more than all
//! args --set n=5 --in seed=1,0,1,0,1
//! out least: 1 0
//! out sums: 3 3
//! out all: 3
//! case nothing
//! args --set n=0 --in seed=fill:1
//! out least: 0 0
//! out sums: 0 0
//! out all: 0
//
// A `forall`, workgroups with an array of theirs and another `forall` that no barrier parts: one kernel, also where
// kernels follow each other, with a bound that is set between them.
program joined_segments;

param u32 n;
in u32 seed[n];
out u32 least[2]; // whether somebody is 1, and whether the first six are
out u32 sums[2]; // of the first 24 of each workgroup; of all, as the next kernel sees it
out u32 all[1];
shared u32 part[256];

kernel groups(12) workgroup(256) {
    forall i in 2 .. 2 + n {
        if seed[i - 2] != 0 {
            atomic_max(least[0], 1);
        }
    }
    part[lid.x] = select(gid.x < n, seed[min(gid.x, max(n, 1) - 1)], 0);
    barrier;
    if lid.x == 0 {
        var u32 mine = 0;
        for k in 0 .. 24 {
            mine += part[k];
        }
        atomic_add(sums[0], mine);
        if wid.x == 0 && part[0] + part[1] + part[2] + part[3] + part[4] + part[5] == 6 {
            least[1] = 1;
        }
    }
    forall k in 0 .. n + 0 {
        atomic_add(all[0], seed[k]);
    }
    grid_barrier;
    if gid.x == 0 {
        sums[1] = all[0];
    }
}
