//! args --set n=10 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 6 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case from 0
//! args --set n=10 --set from=0 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 6 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case a literal 0
//! args --set n=10 --set way=1 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 6 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case below 0
//! args --set n=10 --set way=2 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item -2 of a forall is at `x[-2]`, which is out of bounds: its length is 10
//! case across 0
//! args --set n=10 --set way=2 --set below=-3 --set shift=6 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 4 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case 64 bits
//! args --set n=10 --set way=3 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 18446744073709551605 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case 64 bits below 0
//! args --set n=10 --set way=4 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item -4294967301 of a forall is at `x[-2]`, which is out of bounds: its length is 10
//! case a division
//! args --set n=10 --set way=5 --checked
//! status 6
//! error GF0707
//! stderr error[GF0707]: item 5 of a forall divides by zero
//! case a begin that changes
//! args --set n=10 --set way=6 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 9 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case a begin that is reduced
//! args --set n=10 --set way=7 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 8 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case an item that nobody asks for
//! args --set n=10 --set way=8 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 3 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case with a sum
//! args --set n=10 --set way=9 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 7 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case with a sum of floats
//! args --set n=10 --set way=13 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 5000 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case with rows
//! args --set n=10 --set way=14 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item -60 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case an atomic in a function
//! args --set n=10 --set way=10 --checked
//! status 6
//! error GF0706
//! stderr error[GF0706]: item 6 of a forall is at `x[10]`, which is out of bounds: its length is 10
//! case a trap
//! args --set n=10 --set way=11 --checked
//! status 6
//! error GF0703
//! stderr error[GF0703]: trap "here" at address 7 (invocation 4)
//! case a trap that is not looked for
//! args --set n=10 --set way=11
//! status 6
//! error GF0703
//! stderr error[GF0703]: trap "here" at address 7 (invocation 4)
//! case an assert
//! args --set n=10 --set way=12 --checked
//! status 6
//! error GF0704
//! stderr error[GF0704]: assert failed: "below" (invocation 2)
// Who does wrong in a forall is named by its item, whatever it begins at; traps and asserts count invocations from 0.
program checked_items;

param u32 n;
param u32 way = 0;
param u32 from = 3;
param i32 below = -2;
param i32 shift = 0;
out u32 x[n];
out u32 y[4];

fn u32 add(u32 at) {
    return atomic_add(x[at], 1);
}

kernel {
    grid if way == 0 {
        forall v in from .. n {
            x[v + 4] = v;
        }
    }
    grid if way == 1 {
        forall v in 0 .. n {
            x[v + 4] = v;
        }
    }
    grid if way == 2 {
        forall v in below .. 5 {
            x[v + shift] = 1;
        }
    }
    grid if way == 3 {
        forall v in u64(0) - 14 .. u64(0) - 3 {
            x[v + 21] = 1;
        }
    }
    grid if way == 4 {
        forall v in i64(below) * 2147483648 - 5 - 4 .. i64(below) * 2147483648 {
            x[select(v + 4294967304 > 2, i64(-2), v + 4294967305)] = 1;
        }
    }
    grid if way == 5 {
        forall v in from .. n {
            x[v] = 7 / (5 - v);
        }
    }
    grid if way == 6 {
        var u32 begin = 1;
        grid while begin < n {
            forall v in begin .. n {
                x[v + select(begin == 7, 1, 0)] = v;
            }
            grid_barrier;
            begin += 3;
        }
    }
    grid if way == 7 {
        var u32 begin = 0;
        forall v in 0 .. 4 reduce(max begin) {
            begin = v + 3;
        }
        forall v in begin .. n {
            x[v + 2] = v;
        }
    }
    grid if way == 8 {
        forall v in from .. n {
            x[n] = 1;
        }
    }
    grid if way == 9 {
        var u32 sum = 0;
        forall v in from .. n reduce(add sum) {
            sum += v;
            x[v + 3] = sum;
        }
        forall v in 0 .. 4 {
            y[v] = sum;
        }
    }
    grid if way == 10 {
        forall v in from .. n {
            y[0] = add(v + 4);
        }
    }
    grid if way == 11 {
        forall v in from .. n {
            if v >= 7 {
                trap("here", v);
            }
        }
    }
    grid if way == 12 {
        forall v in from .. n {
            assert(v < 5, "below");
        }
    }
    grid if way == 13 {
        var f32 sum = 0;
        forall v in from .. 6000 reduce(add sum) {
            sum += f32(x[v / 500]);
        }
        forall v in 0 .. 4 {
            y[v] = u32(sum);
        }
    }
    grid if way == 14 {
        forall v in i32(-100) .. 5 {
            var u32 sum = 0;
            for k in v .. v + 71 {
                sum += x[max(k, 0)];
            }
            atomic_max(y[0], sum);
        }
    }
}
