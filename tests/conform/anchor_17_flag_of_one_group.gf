// A flag set by one group only: the others leave at the same round.
//! args --set groups=5 --set stop=7
//! out rounds: 8 8 8 8 8
program anchor17;

param u32 groups;
param u32 stop;
out   u32 rounds[groups];
out   u32 flag[1];

kernel groups (groups) workgroup(4) {
    var u32 r = 0;
    grid while flag[0] == 0 {
        if lid.x == 0 { rounds[wid.x] += 1; }
        if gid.x == groups * 4 - 2 && r == stop { flag[0] = 1; }
        r += 1;
    }
}
