//! args --set groups=2100 --set m=1009
//! out most: 1008
//! out least: 5
//! out sum: 2113245
//! order-free yes
//! case not quite as many as a thread takes at once
//! args --set groups=1793 --set m=7
//! out most: 6
//! out least: 5
//! out sum: 10770
// What thousands of blocks have found is combined by one, whose threads have several of their results under way.
program reduce_many_blocks;

param u32 groups;
param u32 m;
shared u32 seen[2];
out u32 most[1];
out u32 least[1];
out u64 sum[1];

kernel groups(groups) workgroup(2) {
    seen[lid.x] = gid.x * 2654435761 % m;
    barrier;
    let v = seen[1 - lid.x];
    let largest = grid_max(v);
    let smallest = grid_min(v + 5);
    let all = grid_add(u64(v));
    if gid.linear == 0 {
        most[0] = largest;
        least[0] = smallest;
        sum[0] = all;
    }
}
