// Rows of up to 80 turns, which a warp may take as if they were one: none, one or all of them long, in the last lanes
// or the first; values of the invocation that turns look at; atomics with a condition and without, and an `else`.
//! args --set n=1 --set most=80
//! out seen: 0 0 0 0 0 0 0 0
//! out left: 0 0 0 0 0 0 0 0
//! out right: 0 0 0 0 0 0 0 0
//! out low: 18446744073709551615 0 0 0 0 0 0 0
//! case a warp
//! args --set n=32 --set most=80
//! out seen: 153 129 159 134 156 127 149 160
//! out left: -7144999854962 -7429999849514 -6589999866278 -6054999876447 -7399999849713 -7519999847714 -7819999841068 -4664999904707
//! out right: 3053184866 1224652860 1149058879 3972923447 3881234206 2305060573 2117126129 3459997681
//! out low: 521 526 531 536 541 506 511 516
//! case a warp and a bit
//! args --set n=37 --set most=23
//! out seen: 57 52 51 71 61 53 62 53
//! out left: -1829999963260 -2429999951256 -1474999970403 -2479999950147 -1819999963441 -2354999952771 -2034999959117 -1634999967170
//! out right: 3068906236 1015092228 3280628867 2135226917 4143353660 2460459307 3808001920 2677034340
//! out low: 521 526 531 1017 1022 506 511 516
//! case many
//! args --set n=1000 --set most=80
//! out seen: 4378 4319 4355 4420 4394 4316 4434 4329
//! out left: -5688284886165566 -5685554886220842 -6037969879169577 -5205179895830401 -5705559885819371 -5684199886248472 -5456194890808176 -6095029878029280
//! out right: 2738607558 2547066430 3273041641 1295118031 2356952667 1427509924 1630759189 1204841402
//! out low: 521 526 531 536 541 506 511 516
//! case rows of eight at most
//! args --set n=700 --set most=9
//! out seen: 326 322 322 305 323 320 312 332
//! out left: -295819994083119 -275149994496582 -292024994159043 -252924994941081 -281269994374175 -283559994328341 -297514994049236 -305989993879715
//! out right: 87779598 719095532 3749017890 2248869584 1179847207 1654933229 4058937988 4267108138
//! out low: 1523 1007 1012 1538 2024 1508 1513 1518
//! order-free no
program rows_side_by_side;

const u32 PLACES = 8;

param u32 n;
param u32 most;
scratch u32 begin[n];
scratch u64 end[n];
out u32 seen[PLACES];
out i64 left[PLACES];
out u32 right[PLACES];
out u64 low[PLACES];

fn u32 mix(u32 a) {
    let b = (a ^ a >> 15) * 2246822519;
    return b ^ b >> 13;
}

kernel (n) workgroup(128) {
    let v = gid.x;
    let length = select(v % 64 < 40, mix(v) % most, select(v % 3 == 0, most, 0));
    begin[v] = v * 100;
    end[v] = u64(v * 100 + length);
    if v < PLACES {
        low[v] = 18446744073709551615;
    }
    grid_barrier;
    // of 32 bits, with three values of the invocation
    let is_odd = v % 2 == 1;
    let own = i64(v) * -5000000000;
    for e in begin[v] .. u32(end[v]) {
        let place = mix(e) % PLACES;
        atomic_add(seen[place], 1);
        if is_odd {
            atomic_add(left[place], own + i64(e));
        } else {
            atomic_xor(right[place], mix(e + v));
        }
    }
    grid_barrier;
    // of 64 bits, from the second turn on
    for e in u64(begin[v]) + 1 .. end[v] {
        if atomic_load(low[u32(e) % PLACES]) > e * 5 + u64(v) {
            atomic_min(low[u32(e) % PLACES], e * 5 + u64(v));
        }
    }
}
