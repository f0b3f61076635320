// A loop at grid level that no barrier makes grid-level, on a buffer that it writes: the warning with its fix.
//! args --set n=0 --in grew=1,0,0
//! out grew: 1 0 0
//! stderr GF0320
//! stderr grid while
program b50;

param u32 n;
inout u32 grew[3];

kernel (n) workgroup(4) {
    var u32 d = 0;
    while grew[d % 3] != 0 {
        if gid.x < 5 { atomic_store(grew[(d + 1) % 3], 1); }
        d += 1;
    }
}
