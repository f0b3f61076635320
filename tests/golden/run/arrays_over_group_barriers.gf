//! args --set n=12 --in x=1,2,3,4,5,6,7,8,9,10,11,12
//! out y: 26 30 20 16 42 46 36 32 58 62 52 48
//! order-free yes
// Arrays of an invocation that live on behind barriers of its workgroup: a small one in a loop, one of small elements, one
// of truth values, and a large one.
program arrays_over_group_barriers;

param u32 n;
in u32 x[n];
out u32 y[n];
shared u32 tile[4];

kernel groups(n / 4) workgroup(4) {
    var u32 kept[5];
    var u8 bytes[3];
    var bool odd[2];
    var u64 many[70];
    for i in 0 .. 5 {
        kept[i] = x[gid.x] + i;
    }
    bytes[1] = 254 + lid.x;
    odd[1] = x[gid.x] % 2 == 1;
    many[69] = u64(x[gid.x]) << 33;
    for turn in 0 .. 2 {
        barrier;
        tile[lid.x] = kept[turn];
        barrier;
        kept[turn + 2] = tile[(lid.x + 1) % 4];
    }
    y[gid.x] = kept[2] + kept[3] + kept[4] + bytes[1] % 16 + u32(odd[1]) + u32(many[69] >> 33);
}
