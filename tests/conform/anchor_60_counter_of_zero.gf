// Counter 10 makes ten rounds, counter 0 none.
//! args --set counter=10 --in x=1,2,3
//! out x: 11 12 13
//! case none
//! args --set counter=0 --in x=1,2,3
//! out x: 1 2 3
program anchor60;

param u32 counter;
inout u32 x[3];

kernel (3) workgroup(2) {
    var u32 left = counter;
    grid while left > 0 {
        x[gid.x] += 1;
        left -= 1;
    }
}
