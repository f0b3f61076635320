// Rows from none to five thousand long: what a row adds up, and what it does to others, whoever goes through it.
//! args --set n=12 --in row=0,0,1,32,64,97,197,2244,4292,9292,9292,9355,9999 --in col=random:7:0:12 --size col=9999 --in x=random:9:0:1000 --size x=9999
//! out sums: 0 1 1150527912 1653953764 1069724066 4228515899 2569396423 630044700 1967698667 9 3110530873 1489415215
//! out mixed: 0 133997336 3612950883 224857333 428939894 713520682 1098684862 1831724738 472947043 0 2835965339 407424048
//! out lowest: 2 9 10 7 7 6 8 9 6 6 9 8
//! out hits: 790 824 850 832 853 883 852 786 845 836 819 796
//! out real: 0.5 136.9 4059.4404 4233.192 3727.3503 10103.402 270245.94 256604.44 624397.75 0.5 7684.377 81479.57
//! out rest: 1 0.8636000061035156 -3.058940444946289 -3.2326920833587653 -2.726850395023823 -9.10290141806751 -269.2454561382828 -255.60372887755923 -623.3964944840242 1 -6.683876753807068 -80.4790622234046
program rows_of_many_lengths;

param u32 n;
in  u32 row[n + 1];
in  u32 col[];
in  u32 x[];
out u32 sums[n];
out u32 mixed[n];
out u32 lowest[n];
out u32 hits[n];
out f32 real[n];
out f64 rest[n];

kernel (n) workgroup(64) {
    let v = gid.x;
    lowest[v] = 100000;
    grid_barrier;
    // changes others: by atomics that do not care for order
    if v % 5 != 4 {
        for e in row[v] .. row[v + 1] {
            let w = col[e];
            if atomic_load(lowest[w]) > x[e] + v {
                atomic_min(lowest[w], x[e] + v);
            }
            atomic_add(hits[w], 1);
        }
    }
    grid_barrier;
    // whole numbers, in any order
    var u32 sum = v;
    var u32 bits = 0;
    for e in row[v] .. row[v + 1] {
        let y = x[e] * 2654435761;
        if y % 3 != 0 {
            sum += y;
        }
        bits ^= y >> col[e];
    }
    sums[v] = sum;
    mixed[v] = bits;
    grid_barrier;
    // floats, in the order of the text
    var f32 near = 0.5;
    var f64 far = 1.0;
    for e in row[v] .. row[v + 1] {
        let y = f32(x[e]) / f32(col[e] + 1);
        near += y;
        far -= f64(y) * 1.0e-3;
    }
    real[v] = near;
    rest[v] = far;
}
