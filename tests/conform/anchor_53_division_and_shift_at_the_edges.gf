// x / 0 = x and x % 0 = 0; INT_MIN / -1 = INT_MIN and the rest 0; a shift by s is by s mod the width.
//! args --in x=-7,-2147483648 --in y=0,-1 --in wx=-7,-9223372036854775808 --in wy=0,-1 --in s=35,32 --in t=-7,-2147483648
//! out quotient: -7 -2147483648
//! out rest: 0 0
//! out wide_quotient: -7 -9223372036854775808
//! out wide_rest: 0 0
//! out left: -56 -2147483648
//! out right: -1 -2147483648
//! races no
//! order-free yes
program anchor53;

in  i32 x[2];
in  i32 y[2];
in  i64 wx[2];
in  i64 wy[2];
in  u32 s[2];
in  i32 t[2];
out i32 quotient[2];
out i32 rest[2];
out i64 wide_quotient[2];
out i64 wide_rest[2];
out i32 left[2];
out i32 right[2];

kernel (2) workgroup(1) {
    let i = gid.x;
    quotient[i] = x[i] / y[i];
    rest[i] = x[i] % y[i];
    wide_quotient[i] = wx[i] / wy[i];
    wide_rest[i] = wx[i] % wy[i];
    left[i] = t[i] << s[i];
    right[i] = t[i] >> s[i];
}
