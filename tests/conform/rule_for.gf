// `for i in a .. b step s`: bounds once, ceil((b - a) / s) turns counted without wrap, none if negative; turns and the
// last index of each row, unsigned and signed.
//! args --in a=0,0,5,0,0,4294967290,4294967290,0,3,7,1 --in b=0,5,0,5,6,4294967295,4294967295,4294967295,4,7,9 --in s=1,1,1,2,2,3,1,2147483648,4294967295,0,0 --in ia=0,-3,-2147483648,10,0,10,-2147483648,2147483646,5 --in ib=-5,3,2147483647,0,10,0,-2147483646,2147483647,-5 --in is=1,1,1000000000,-3,-3,-10,1,5,-2147483648
//! out y: 0 0 5 4 0 0 3 4 3 4 2 4294967293 5 4294967294 2 2147483648 1 3 0 0 0 0
//! out z: 0 0 6 2 5 1852516352 4 1 0 0 1 10 2 -2147483647 1 2147483646 1 5
//! out once: 3 100 3
//! order-free yes
program rule_for;

in  u32 a[];
in  u32 b[len(a)];
in  u32 s[len(a)];
in  i32 ia[];
in  i32 ib[len(ia)];
in  i32 is[len(ia)];
out u32 y[2 * len(a)];
out i32 z[2 * len(ia)];
out u32 once[3];

kernel (1) workgroup(1) {
    for k in 0 .. len(a) {
        for i in a[k] .. b[k] step s[k] {
            y[2 * k] += 1;
            y[2 * k + 1] = i;
        }
    }
    for k in 0 .. len(ia) {
        for i in ia[k] .. ib[k] step is[k] {
            z[2 * k] += 1;
            z[2 * k + 1] = i;
        }
    }
    var u32 end = 3;
    for i in 0 .. end {
        end = 100;
        once[0] += 1;
    }
    once[1] = end;
    for i in once[0] - 3 .. once[0] {
        once[0] = 9;
        once[2] += 1;
    }
    once[0] = 3;
}
