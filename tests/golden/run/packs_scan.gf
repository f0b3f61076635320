//! args --set n=1
//! out y: 0
//! out z: 0
//! order-free yes
//! case less than a pack
//! args --set n=3 --set off=1
//! out y: 1 21 28
//! out z: 0 0 -60129542205 -34359738399
//! case a few packs
//! args --set n=37 --set off=2
//! out check: 564 2241972929544 1 395136992065
//! case one tile, nearly
//! args --set n=16383
//! out check: 262092 257256747232956331 1 33586644540252
//! case one tile
//! args --set n=16384
//! out check: 262100 257290320992334871 1 33573759638375
//! case one tile and a bit, not aligned
//! args --set n=16385 --set off=3
//! out check: 262128 257323920521498537 1 33599529442178
//! case tiles in several rounds
//! args --set n=300000 --set off=5
//! out check: 4799990 4062283245172275770 1 641586514891891
//! case tiles in several rounds, in several turns
//! args --set n=150001 --set turns=5
//! out check: 12000070 3011008904454638728 5 322689485508525
//! case more than there are blocks
//! args --set n=2300001 --set off=2
//! out check: 36800030 16620862342322865805 1 4945848155126980
//! long
//
// Prefix sums that go from one segment to the next tile by tile: of 32 and of 64 bits, signed, again and again, with
// values that are made from neighbours, and a reduction beside them.
program packs_scan;

param u32 n;
param u32 off = 0;
param u32 turns = 1;
scratch u32 x[n + off + 1];
out u32 y[n];
out i64 z[n + off];
out u64 check[4];

kernel (n) {
    let i = gid.x;
    x[i + off] = (i * 2654435761) >> 27;
    var u32 turn = 0;
    while turn < turns {
        let v = x[i + off] + (x[i + off + 1] & 1);
        let before = grid_scan_add(v);
        y[i] = before + v + turn;
        grid_barrier;
        let w = i64(i64(y[i] & 31) - 15) * 4294967299;
        let all = grid_scan_add(w);
        z[i + off] = all - i64(x[i + off]);
        let most = grid_max(y[i]);
        let sum = grid_add(u64(z[i + off]) ^ u64(i));
        if i == 0 {
            check[0] += u64(most);
            check[1] ^= sum;
            check[2] += 1;
        }
        x[i + off] ^= turn + (i & 3);
        turn += 1;
    }
    if i == n - 1 {
        check[3] = u64(z[i + off]) + u64(y[i]);
    }
}
