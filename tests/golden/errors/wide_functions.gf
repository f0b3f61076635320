// GF0413: inlining grows without end.
program wide_functions;
param u32 n;
inout u32 x[n];
fn f0() { barrier; x[0] = 1; }
fn f1() { f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); }
fn f2() { f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); }
fn f3() { f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); }
fn f4() { f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); }
fn f5() { f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); }
fn f6() { f5(); f5(); f5(); f5(); f5(); f5(); f5(); f5(); f5(); f5(); }
fn f7() { f6(); f6(); f6(); f6(); f6(); f6(); f6(); f6(); f6(); f6(); }

kernel (n) { f7(); }
