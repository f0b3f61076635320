// Long rows that stand together, more of them than a device may want to put on a list, in every other turn: what they change is seen by
// whoever meets next, under the names and with the values of the turn that they are of.
//! args --set n=70 --in row=0,5003,0,1300,40,5003,1,600,0,5003,0,257,0,1025,0,5003,0,1024,0,2600,0,5003,0,513,0,512,0,5003,0,300,20,5003,0,5003,0,1300,40,5003,1,600,0,5003,0,257,0,1025,0,5003,0,1024,0,2600,0,5003,0,513,0,512,0,5003,0,300,20,5003,0,5003,0,1,2,3,9 --in col=random:5:0:70 --size col=5003
//! out to: 13396588 13196680 11332164 9555516 9180540 12979132 11722166 11892100 11528884 9339924 11962532 9591628 10555776 15265058 10691752 11682212 13228888 11833252 10147460 9816280 13105168 13914480 11690492 12945792 12903928 11561048 12074066 13212068 10926860 11961714 10146448 9853964 13340768 9701736 11497624 15432950 12052280 10480700 10163696 8498712 10185152 11491684 9280908 10085796 12299500 7602696 10342948 11913048 12567408 8759556 13650868 13389920 11936098 8379288 11526576 8505736 9070736 12755276 13483172 12648656 14168812 10729984 11360064 10005188 12602384 13107036 11020968 13145040 12162218 10435060
//! out other: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//! out lowest: 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
//! out seen: 0 9 2995975 7
program rows_on_list;

param u32 n;
in  u32 row[n + 1];
in  u32 col[];
out u32 to[n];
out u32 other[n];
out u32 lowest[n];
out u32 seen[4];

kernel (n) workgroup(32) {
    let v = gid.x;
    lowest[v] = 1000000;
    var bool more = true;
    var u32 turn = 0;
    while more {
        grid_barrier;
        // a vote goes with what is on the list
        if turn % 2 == 0 {
            for e in row[v] .. row[v + 1] {
                atomic_add(to[col[e]], e * (turn + 1) + v);
            }
        }
        turn += 1;
        swap(to, other);
        // and one that knows nothing of it
        let low = (v * 31) % 64 + 10 - turn;
        for e in row[v] .. row[v + 1] {
            if atomic_load(lowest[col[e]]) > low {
                atomic_min(lowest[col[e]], low);
            }
        }
        more = grid_any(turn < 4 && v > 60);
        if more && v == 0 {
            seen[turn] = lowest[5] + to[7];
        }
    }
}
