// Loops so long that the index of the last turn goes around all 64-bit numbers and is in bounds again: what lies between
// is not.
//! args --set n=5 --set far=0x8000000000000001 --in a=1,2,3,4,5
//! out a: 7 2 7 4 7
//! out b: 101 101 101 0 0
//! out c: 0 0 9 0 0
//! races no
program longest;

param u32 n;
param u64 far;
inout u32 a[n];
out u32 b[n];
out u32 c[n];

kernel {
    for i in u64(0) .. far {
        for j in 0 .. n {
            if j == 3 {
                break;
            }
            b[j] += 1;
        }
        a[i * 2] = 7;
        if i == 100 {
            break;
        }
    }
    for i in i64(-0x7fffffffffffffff) .. i64(0x7fffffffffffffff) step 0x1fffffffffffffff {
        for j in 0 .. 2 {
            c[(i + 0x7fffffffffffffff) * 8 + 2] += 9 * j;
        }
        if i > -0x7fffffff {
            break;
        }
    }
}
