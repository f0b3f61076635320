// With `grid while` the same breadth-first search by flags in three slots gives the right levels.
//! args --set n=8 --in row=0,1,4,6,8,9,11,12,12 --in col=1,0,2,5,1,3,2,4,3,1,6,5 --in level=0,99,99,99,99,99,99,99 --in grew=1,0,0
//! out level: 0 1 2 3 4 2 3 99
program b50_grid;

param u32 n;
in    u32 row[n + 1];
in    u32 col[];
inout u32 level[n];
inout u32 grew[3];

kernel (n) workgroup(3) {
    let v = gid.x;
    var u32 d = 0;
    grid while grew[d % 3] != 0 {
        if v == 0 { grew[(d + 2) % 3] = 0; }
        if atomic_load(level[v]) == d {
            for e in row[v] .. row[v + 1] {
                if atomic_compare_exchange(level[col[e]], 99, d + 1) == 99 { atomic_store(grew[(d + 1) % 3], 1); }
            }
        }
        d += 1;
    }
}
