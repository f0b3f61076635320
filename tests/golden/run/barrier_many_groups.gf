//! args --set groups=810 --set turns=3 --set bad=100000
//! out said: 0 1 1
//! out sum: 8082
//! case one level
//! args --set groups=300 --set turns=3 --set bad=100000
//! out said: 0 1 1
//! out sum: 2979
//! case somebody traps while others vote
//! args --set groups=810 --set turns=3 --set bad=3210
//! status 6
//! error GF0704
//! stderr invocation 3210
//! case the same with one level
//! args --set groups=300 --set turns=3 --set bad=1111
//! status 6
//! error GF0704
//! stderr invocation 1111
// More workgroups than arrive at a grid barrier one by one: votes, stops and what was written before come to all of them.
program barrier_many_groups;

param u32 groups;
param u32 turns;
param u32 bad;
out u32 said[turns];
out u32 sum[1];
scratch u32 x[groups];
shared u32 turn[1];

kernel groups(groups) workgroup(4) {
    var u32 mine = 0;
    for i in 0 .. turns {
        if lid.x == 0 {
            turn[0] = i;
        }
        barrier;
        if lid.x == 1 {
            x[wid.x] = i * wid.x % 11;
        }
        assert(gid.x != bad || i != 1, "bad");
        let any = grid_any(gid.x % 97 == i && turn[0] % 3 != 0);
        if lid.x == 0 {
            mine += x[(wid.x + 5) % groups];
        }
        if gid.x == 0 {
            said[i] = u32(any);
        }
        grid_barrier;
    }
    if lid.x == 0 {
        atomic_add(sum[0], mine);
    }
}
