// What pieces of long rows change is a change of the pass.
//! args --set n=70 --in row=0,5003,0,1300,40,5003,1,600,0,5003,0,257,0,1025,0,5003,0,1024,0,2600,0,5003,0,513,0,512,0,5003,0,300,20,5003,0,5003,0,1300,40,5003,1,600,0,5003,0,257,0,1025,0,5003,0,1024,0,2600,0,5003,0,513,0,512,0,5003,0,300,20,5003,0,5003,0,1,2,3,9 --in col=random:5:0:70 --size col=5003 --in best=iota
//! out best: 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69
//! converged yes
program rows_on_list_passes;

param u32 n;
in  u32 row[n + 1];
in  u32 col[];
inout u32 best[n];

kernel (n) workgroup(64) fixpoint(n) on (best) {
    let v = gid.x;
    let mine = atomic_load(best[v]) + 3;
    if v > 20 {
        for e in row[v] .. row[v + 1] {
            atomic_max(best[col[e]], mine & 31);
        }
    }
}
