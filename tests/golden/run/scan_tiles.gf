//! args --set n=1 --in x=iota --size x=9
//! out check: 0 0 0 0
//! order-free yes
//! case less than a warp
//! args --set n=37 --set off=2 --in x=iota --size x=64
//! out check: 273467 33371896008864 6636 3054
//! case a tile, or two of wide sums, nearly
//! args --set n=8191 --in x=iota --size x=9000
//! out check: 562720913664000 5860750188855758927 384259956 20417209995
//! case tiles, and a bit more on both sides
//! args --set n=16385 --set off=3 --in x=iota --size x=17000
//! out check: 9014164271337475 12297828649465471039 1544028265 163233669729
//! case again and again
//! args --set n=20011 --set off=1 --set turns=3 --in x=iota --size x=30000
//! out check: 20047375700297563 16726634464795596477 2301569346 297163584205
//
// Prefix sums that nothing else goes along with, so that they may go from one segment to the next: of 32 and of 64 bits
// and signed, where the grid may pass them by, of elements and of what is made of them, and as places for elements.
program scan_tiles;

param u32 n;
param u32 off = 0;
param u32 turns = 1;
in u32 x[];
scratch u32 y[n];
scratch u64 z[n + off];
scratch i32 w[n];
scratch u32 chosen[n];
out u64 check[4];

kernel (n) {
    let i = gid.x;
    var u32 turn = 0;
    while turn < turns {
        let before = grid_scan_add(x[i + off]);
        y[i] = before + x[i + off] + turn;
        let most = grid_max(y[i] % 64);
        if most > 5 {
            let wide = grid_scan_add(u64(x[i]) * 4294967311);
            z[i + off] = wide + u64(most);
        }
        grid_barrier;
        let signed = grid_scan_add(i32((x[i + off] * 2654435761) >> 25) - 60);
        w[i] = signed - i32(turn);
        turn += 1;
    }
    let place = grid_scan_add(select(x[i] % 3 == 1, 1, 0));
    if x[i] % 3 == 1 {
        chosen[place] = x[i];
    }
    grid_barrier;
    let sum = grid_add(u64(y[i]) * u64(i + 1));
    let other = grid_add(z[i + off] ^ u64(i));
    let third = grid_add(u64(w[i]) * 3 + u64(i));
    let fourth = grid_add(u64(chosen[i]) * u64(i + 7));
    if i == 0 {
        check[0] = sum;
        check[1] = other;
        check[2] = third;
        check[3] = fourth;
    }
}
