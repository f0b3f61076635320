//! args --set n=1000 --set turns=7
//! out sum: 498932 499932 497932 499932 499932 499932 498932
//! out least: 16 40503 81022 121525 162012 202515 243034
//! out most: 4293012842 4293053346 4293093848 4293134352 4293174854 4293215358 4293255860
//! out all_bits: 16711935 33423870 66847740 133695480 267390960 534781920 1069563840
//! out any_bits: 65793 131586 263172 526344 1052688 2105376 4210752
//! out low: -2145911839 -2145871336 -2145830833 -2145790330 -2145749827 -2145709324 -2145668821
//! out high: -3 -281 -227 -256 -202 -165 -111
//! out wide_sum: 18011262015023405420 18185221075453796420 18359180135884187420 86395122605026804 260354183035417804 434313243465808804 608272303896199804
//! out wide_least: 1 42470473729 84940947457 127411421185 169881894913 212352368641 254822842369
//! out wide_low: -18006200939446272 -18006370821341184 -18006540703236096 -18006710585131008 -18006880467025920 -18007050348920832 -18007220230815744
//! out wide_high: -5 -82950149 -165900293 -248850437 -331800581 -414750725 -497700869
//! out truth: 3 2 3 2 3 2 3
//! order-free yes
// Whole numbers that turn after turn are combined over the grid: all operations, signs and widths, so many at once that
// some go another way than others, and truth values. Values of one turn are of no use in the next.
program reduce_whole;

param u32 n;
param u32 turns;
out u32 sum[turns];
out u32 least[turns];
out u32 most[turns];
out u32 all_bits[turns];
out u32 any_bits[turns];
out i32 low[turns];
out i32 high[turns];
out u64 wide_sum[turns];
out u64 wide_least[turns];
out i64 wide_low[turns];
out i64 wide_high[turns];
out u32 truth[turns];

kernel {
    var u32 t = 0;
    while t < turns {
        var u32 s = 0;
        var u32 a = 0xffffffff;
        var u32 b = 0;
        var u32 c = 0xffffffff;
        var u32 d = 0;
        var i32 e = 2147483647;
        var i32 f = -2147483647 - 1;
        var u64 g = 0;
        var u64 h = 0xffffffffffffffff;
        var i64 i = 9223372036854775807;
        var i64 j = -9223372036854775807 - 1;
        var bool every = true;
        var bool some = false;
        var bool none = false;
        forall v in 0 .. n reduce(add s, min a, max b, and c, or d, min e, max f, add g, min h, min i, max j, and every, or some, or none) {
            let x = v * 2654435761 + t * 40503;
            s = x % 1000;
            a = x | 16;
            b = x & ~u32(1);
            c = x | 0xff00ff << t;
            d = x & 0x10101 << t;
            e = i32(x);
            f = -i32(x % 77777) - 3;
            g = u64(x) * 0x100000001;
            h = u64(x) << 20 | 1;
            i = -(i64(x) << 22);
            j = -(i64(x) << 11) - 5;
            every = x % 7 != 3 || t % 2 == 0;
            some = v == t * 100;
            none = x == 1 && t == 77;
        }
        sum[t] = s;
        least[t] = a;
        most[t] = b;
        all_bits[t] = c;
        any_bits[t] = d;
        low[t] = e;
        high[t] = f;
        wide_sum[t] = g;
        wide_least[t] = h;
        wide_low[t] = i;
        wide_high[t] = j;
        truth[t] = u32(every) | u32(some) << 1 | u32(none) << 2;
        t += 1;
    }
}
