#!/usr/bin/python3
"""The command line from outside: every option, output format and exit status. cli.py [--bin PATH] [WORD...]"""
import json
import os
import pty
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.join(ROOT, "build", "gridfence")
LIMIT = 60

TWICE = "program twice;\nparam u32 n;\nparam f32 k = 2.0;\nin f32 x[n];\nout f32 y[n];\n" \
        "kernel (n) { y[gid.x] = x[gid.x] * k; }\n"
SUM = "program sum;\nin u32 x[];\ninout u32 acc[len(x)];\nkernel (len(x)) { acc[gid.x] += x[gid.x]; }\n"
GROW = "program grow;\nparam u32 top = 5;\ninout u32 a[1];\nkernel (1) fixpoint(100) on (a) " \
       "{ if a[0] < top { a[0] += 1; } }\n"
STEPS = "program steps;\nparam u32 n;\nout u32 y[n];\nscratch u32 s[n];\nkernel (n) workgroup(64) {\n" \
        "    region \"first\" { s[gid.x] = gid.x; }\n    grid_barrier;\n" \
        "    region \"second\" { y[gid.x] = s[n - 1 - gid.x]; }\n}\n"
FOREVER = "program forever;\nout u32 y[1];\nkernel (1) workgroup(1) { var u32 i = 0; while i < 1 { y[0] += 1; } }\n"
TRAP = "program traps;\nparam u32 n;\nkernel (n) { if gid.x == 3 { trap(\"three\", gid.x); } }\n"
ASSERT = "program asserts;\nparam u32 n;\nkernel (n) { assert(gid.x < 2, \"two are enough\"); }\n"
OUTSIDE = "program outside;\nout u32 y[2];\nkernel (3) { y[gid.x] = 1; }\n"
RACE = "program races;\nout u32 y[1];\nkernel (4) { y[0] = gid.x; }\n"
ORDER = "program order;\nparam u32 n;\nin u32 x[1];\nout u32 y[n];\nout u32 c[1];\nkernel (n) workgroup(1) " \
        "{ y[gid.x] = atomic_add(c[0], 1); }\n"
WRONG = "program wrong;\nout u32 y[4];\nkernel (4) {\n    y[gid.x] = z;\n    y[gid.x] = w;\n}\n"
SPMV = "program spmv;\nparam u32 n;\nin u32 row[n + 1];\nin u32 col[];\nin f32 val[len(col)];\nin f32 x[];\n" \
       "out f32 y[n];\nkernel (n) {\n    var f32 s = 0.0;\n" \
       "    for e in row[gid.x] .. row[gid.x + 1] { s += val[e] * x[col[e]]; }\n    y[gid.x] = s;\n}\n"
PAIRS = "program pairs;\nin u32 from[];\nin u32 to[len(from)];\nout u32 sum[len(from)];\n" \
        "kernel (len(from)) { sum[gid.x] = from[gid.x] * 10 + to[gid.x]; }\n"
TYPES = "program types;\nparam u32 a;\nparam i32 b = 0;\nparam u64 c = 0;\nparam i64 d = 0;\nparam f64 e = 0.0;\n" \
        "param bool f = false;\nout u64 y[6];\nkernel (1) { y[0] = u64(a); y[1] = u64(b); y[2] = c; y[3] = u64(d); " \
        "y[4] = bitcast<u64>(e); y[5] = u64(f); }\n"
LANES = "program lanes;\nparam u32 n;\nout u32 y[n];\nkernel (n) workgroup(4) { y[gid.x] = lid.x; }\n"
PART = "program part;\nparam u32 n;\nout u32 y[n] returns(1 .. n - 1);\nkernel (n) { y[gid.x] = gid.x; }\n"
SPECIAL = "program special;\nout f32 y[4];\nkernel (1) { y[0] = nan; y[1] = inf; y[2] = -inf; y[3] = 1.5; }\n"

tests = []
DEVICES = []  # as `devices --json` tells them, the one that auto takes first


def has(name):
    return any(device["name"] == name for device in DEVICES)


def test(function):
    tests.append(function)
    return function


class Here:
    """A folder with programs in it, and the command run there."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def run(self, *args, text=None, **more):
        """Status, standard output, standard error."""
        done = subprocess.run([BINARY, *args], capture_output=True, cwd=self.folder, timeout=LIMIT,
                              input=(text or "").encode(), **more)
        assert done.returncode >= 0, f"signal {-done.returncode}: {args}"
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def good(self, *args, **more):
        status, out, err = self.run(*args, **more)
        assert status == 0, f"status {status}: {args}\n{err}"
        return out, err

    def fails(self, wanted, *args, says=(), **more):
        status, out, err = self.run(*args, **more)
        assert status == wanted, f"status {status}, not {wanted}: {args}\n{out}{err}"
        assert "error[GF" in err or "--json" in args, err
        for word in (says,) if isinstance(says, str) else says:
            assert word in err, f"no `{word}` in: {err}"
        return out, err


def same(found, wanted):
    assert found == wanted, f"found {found!r}\n     wanted {wanted!r}"


def npy(kind, values, code):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(values)}{code}", *values)


@test
def version_and_help(at):
    same(at.good("--version")[0], "gridfence 0.1.0\n")
    for words in (["--help"], ["help"], ["-h"]):
        assert "gridfence COMMAND" in at.good(*words)[0]
    for command in ("run", "check", "plan", "diff", "emit", "fmt", "devices", "bench", "rmat"):
        text = at.good(command, "--help")[0]
        assert f"gridfence {command}" in text and "Example" in text, command
        same(at.good("help", command)[0], text)
    status, out, err = at.run()
    assert status == 2 and out == "" and "COMMAND" in err


@test
def wrong_words(at):
    at.write("t.gf", TWICE)
    at.fails(2, "rnu", says="did you mean 'gridfence run'")
    at.fails(2, "help", "rnu", says="rnu")
    at.fails(2, "run", says="wants a program")
    at.fails(2, "run", "t.gf", "--sett", "n=1", says=("no option '--sett'", "did you mean --set?"))
    at.fails(2, "run", "t.gf", "-q", says="no option '-q'")
    at.fails(2, "run", "t.gf", "--set", says="wants a value")
    at.fails(2, "run", "t.gf", "--json=yes", says="takes no value")
    at.fails(2, "run", "t.gf", "t.gf", says="one program at a time")
    for command in ("run", "check", "plan", "diff"):
        at.fails(2, command, "t.gf", "--", "--json", says="one program at a time")
        at.fails(4, command, "--", "--json", says="--json")
    at.fails(4, "fmt", "--", "--json", "-", "--check", says=("--json", "--check"), text=TWICE)
    at.fails(2, "run", "t.gf", "--set", "n", says="NAME=VALUE")
    at.fails(2, "run", "t.gf", "--set", "n=1", "--set", "n=2", says="twice")
    at.fails(2, "run", "t.gf", "--transpose", says="--transpose belongs to the --csr")
    at.fails(2, "check", "t.gf", "--set", "n=1", says="no option")
    at.fails(2, "plan", "t.gf", "--dot", "--json", says="take one")
    at.fails(2, "bench", "nothing", says="no workload")
    at.fails(2, "bench", "--rounds", "0", says="--rounds")
    at.fails(2, "devices", "x", says="devices takes no")
    at.fails(2, "rmat", "1", "2", says="three numbers")
    at.write("z2.gf", "program z;\nout u32 a[2];\nout u32 b[2];\nkernel (2) { a[gid.x] = 1; b[gid.x] = 2; }\n")
    at.fails(4, "run", "z2.gf", "--out", "a=nowhere/a.npy", says="no such directory")
    at.fails(2, "run", "z2.gf", "--out", "a=one.txt", "--out", "b=one.txt", says="both")
    same(os.path.exists(os.path.join(at.folder, "one.txt")), False)
    for short in ("--quie", "--un", "--check", "--thread=2"):
        at.fails(2, "run", "t.gf", short, says="no option")
    at.fails(2, "emit", "t.gf", says="llvm, ptx, spirv")
    for option, values in {"passes": ("0", "-1", "x", "1e3", "99999999999999999999"), "timeout": ("0", "-1", "nan", "x"),
                           "memory-limit": ("0", "-5", "1X", "99999999999999999999", "17179869184G", "K"),
                           "repeat": ("0", "100001"), "strategy": ("fast", ""),
                           "workgroup": ("0", "1,", "1,2,3,4", "x", "4294967296", "-1")}.items():
        for value in values:
            at.fails(2, "run", "t.gf", f"--{option}={value}", says=f"--{option}")


@test
def names(at):
    at.write("t.gf", TWICE)
    at.fails(2, "run", "t.gf", "--set", "m=1", says=("no param `m`", "n, k"))
    at.fails(2, "run", "t.gf", "--in", "z=1", says=("no buffer `z`", "x"))
    at.fails(2, "run", "t.gf", "--in", "y=1", says="`y` is an `out` buffer")
    at.fails(2, "run", "t.gf", "--in", "n=1", says="`n` is a param")
    at.fails(2, "run", "t.gf", "--set", "n=1", "--in", "x=1", "--out", "x=-", says="`x` is an `in` buffer")
    at.fails(2, "run", "t.gf", "--size", "x=4", says="declares the size")
    _, err = at.fails(2, "run", "t.gf", "--set", "m=1", "--in", "z=1", says=("`m`", "`z`"))
    same(err.count("error["), 2)


@test
def missing(at):
    at.write("s.gf", SPMV)
    at.fails(2, "run", "s.gf", "--set", "k=1", says="no param `k`")
    _, err = at.fails(2, "run", "s.gf", says=("param `n`, buffer `row`, buffer `col`, buffer `val`, buffer `x`",
                                              "--set n=VALUE --in row=SOURCE --in col=SOURCE"))
    same(err.count("error["), 1)
    at.write("a.gf", SUM)
    at.fails(2, "run", "a.gf", "--in", "x=iota", "--in", "acc=iota", says=("size of buffer `x`", "--size x=N"))


@test
def params(at):
    at.write("t.gf", TYPES)
    values = ["--set", "a=0xffffffff", "--set", "b=-1", "--set", "c=18446744073709551615", "--set", "d=-1", "--set",
              "e=1.5", "--set", "f=true", "--out", "y=-"]
    same(at.good("run", "t.gf", *values)[0], "y: 4294967295 18446744073709551615 18446744073709551615 "
         "18446744073709551615 4609434218613702656 1\n")
    for bad in ("a=4294967296", "a=-1", "a=1.5", "a=", "a=x", "b=2147483648", "c=18446744073709551616", "d=1e300",
                "f=2", "f=yes", "a=nan", "a=1 2"):
        at.fails(2, "run", "t.gf", "--set", bad, says="--set " + bad[0])
    at.good("run", "t.gf", "--set", "a=1e3")


@test
def sources(at):
    at.write("a.gf", SUM)
    at.write("x.npy", npy("<u4", [1, 2, 3], "I"))
    at.write("w.npy", npy("<i8", [1, 2, 3], "q"))
    at.write("neg.npy", npy("<i8", [1, -2, 3], "q"))
    at.write("x.bin", struct.pack("<3I", 1, 2, 3))
    at.write("x.txt", "1, 2\n3 # end\n")
    for source in ("x.npy", "w.npy", "x.bin", "x.txt", "1,2,3"):
        same(at.good("run", "a.gf", "--in", f"x={source}", "--in", "acc=fill:10", "--out", "acc=-")[0],
             "acc: 11 12 13\n")
    same(at.good("run", "a.gf", "--in", "x=iota", "--size", "x=4", "--in", "acc=fill(7)", "--out", "acc=-")[0],
         "acc: 7 8 9 10\n")
    first = at.good("run", "a.gf", "--in", "x=random:5:0:10", "--size", "x=50", "--in", "acc=fill:0", "--out", "acc=-")
    again = at.good("run", "a.gf", "--in", "x=random(5, 0, 10)", "--size=x=50", "--in", "acc=fill:0", "--out", "acc=-")
    same(first[0], again[0])
    assert all(0 <= int(v) < 10 for v in first[0].split()[1:]) and len(first[0].split()) == 51
    same(at.good("run", "a.gf", "--in", "x=1,2,3", "--size", "x=2", "--in", "acc=5,6,7", "--out", "acc=-")[0],
         "acc: 6 8\n")
    base = ("run", "a.gf", "--in", "acc=fill:0", "--in")
    at.fails(4, *base, "x=neg.npy", says="neg.npy")
    at.fails(4, *base, "x=none.npy", says="none.npy")
    at.fails(4, *base, "x=what", says="is no source")
    at.fails(4, *base, "x=1,2,4294967296", says="4294967296")
    at.fails(4, "run", "a.gf", "--in", "x=1,2,3", "--in", "acc=1,2", says="acc")
    at.fails(4, *base, "x=1,2", "--size", "x=3", says="holds only 2")
    for size in ("x=-1", "x=1.5", "x=99999999999999999999", "x="):
        at.fails(2, *base, "x=iota", "--size", size, says="--size x")


@test
def sinks(at):
    at.write("t.gf", TWICE)
    base = ("run", "t.gf", "--set", "n=3", "--in", "x=1,2.5,-3")
    out, err = at.good(*base, "--out", "y=y.npy", "--out", "y=y.bin", "--out", "y=y.txt", "--out", "y=-")
    same(out, "y: 2 5 -6\n")
    assert f"twice: native on {DEVICES[0]['name']}, passes: 1, converged: null" in err
    same(at.read("y.bin"), struct.pack("<3f", 2, 5, -6))
    same(at.read("y.txt").split(), [b"2", b"5", b"-6"])
    assert at.read("y.npy").endswith(struct.pack("<3f", 2, 5, -6)) and b"'<f4'" in at.read("y.npy")
    same(at.good(*base, "--quiet"), ("", ""))
    at.fails(4, *base, "--out", "y=y.xyz", says="is no sink")
    at.fails(4, *base, "--out", "y=nowhere/y.npy", says="nowhere/y.npy")
    same(at.good(*base, "--set", "k=0.5", "--out", "y=-")[0], "y: 0.5 1.25 -1.5\n")


@test
def part_of_an_output(at):
    at.write("p.gf", PART)
    for strategy in ("native", "resident", "host"):
        same(at.good("run", "p.gf", "--set", "n=5", "--strategy", strategy, "--out", "y=-")[0], "y: 1 2 3\n")
    at.fails(2, "run", "p.gf", "--set", "n=0", says="range that buffer `y` returns")


@test
def closed_output(at):
    at.write("t.gf", TWICE)
    args = [BINARY, "run", "t.gf", "--set", "n=3", "--in", "x=iota", "--out", "y=-", "--quiet"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(args, stdout=full, stderr=subprocess.PIPE, cwd=at.folder, timeout=LIMIT, check=False)
        assert done.returncode == 4 and b"standard output" in done.stderr, done
        for other in (["devices"], ["check", "t.gf"], ["fmt", "t.gf"], ["plan", "t.gf"], ["--version"],
                      ["run", "--help"], ["check", "--json", "t.gf"], [*args[1:], "--json"]):
            done = subprocess.run([BINARY, *other], stdout=full, stderr=subprocess.PIPE, cwd=at.folder, timeout=LIMIT,
                                  check=False)
            assert done.returncode == 4, (other, done)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(args, stdout=write, stderr=subprocess.PIPE, cwd=at.folder, timeout=LIMIT, check=False)
    os.close(write)
    assert done.returncode == 4 and b"standard output" in done.stderr, done
    done = subprocess.run(args, stderr=subprocess.PIPE, cwd=at.folder, timeout=LIMIT, check=False,
                          preexec_fn=lambda: os.close(1))
    assert done.returncode == 4, done


@test
def standard_input(at):
    same(at.good("run", "-", "--set", "n=2", "--in", "x=1,2", "--out", "y=-", text=TWICE)[0], "y: 2 4\n")
    same(at.good("check", "-", text=TWICE)[0], "-: ok, order-free\n")
    assert at.good("fmt", "-", text=TWICE)[0].startswith("program twice;")
    assert "segment 0" in at.good("plan", "-", text=TWICE)[0]
    at.fails(1, "check", "-", text="", says="")
    at.fails(1, "check", "-", text="program", says="<stdin>")


@test
def broken_files(at):
    at.fails(4, "run", "none.gf", says="none.gf")
    at.fails(4, "check", ".", says="")
    for text in (b"\xff\xfe\x00", b"\0" * 100, b"program x;" + b"(" * 100000, b"kernel" * 1000, b"// only a comment"):
        at.write("x.gf", text)
        for command in ("run", "check", "plan", "fmt", "diff"):
            at.fails(1, command, "x.gf")
    at.write("s.gf", SPMV)
    seed = random.Random(1)
    good = {"m.mtx": b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.5\n2 1 4\n",
            "e.txt": b"0 1\n1 0\n", "x.npy": npy("<f4", [1, 2], "f")}
    for name, data in good.items():
        for _ in range(60):
            changed = bytearray(data)
            for _ in range(seed.randrange(1, 4)):
                changed[seed.randrange(len(changed))] = seed.randrange(256)
            at.write(name, bytes(changed[:seed.randrange(len(changed) + 1)]))
            other = () if name == "x.npy" else ("--csr", f"row,col,n,val={name}")
            source = "x.npy" if name == "x.npy" else "1,1"
            status, _, err = at.run("run", "s.gf", *other, "--in", f"x={source}", "--memory-limit", "1M")
            assert status in (0, 2, 3, 4), (status, changed, err)


@test
def graphs(at):
    at.write("s.gf", SPMV)
    at.write("p.gf", PAIRS)
    at.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n% c\n3 3 4\n3 1 2.5\n1 2 0.5\n1 1 1\n2 3 4\n")
    at.write("s.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 5\n")
    at.write("e.txt", "# c\n5 9\n9 7\n")
    at.write("w.csv", "0,1,2\n1,0,3\n")
    base = ("run", "s.gf", "--out", "y=-", "--in")
    same(at.good(*base, "x=1,10,100", "--csr", "row,col,n,val=m.mtx")[0], "y: 6 400 2.5\n")
    same(at.good(*base, "x=1,10,100", "--csr", "row,col,n,val=m.mtx", "--transpose")[0], "y: 251 0.5 40\n")
    same(at.good(*base, "x=1,10", "--csr", "row,col,n,val=s.mtx")[0], "y: 53 5\n")
    same(at.good(*base, "x=1,10", "--csr", "row,col,n,val=w.csv")[0], "y: 20 3\n")
    # A list does not say how many vertices there are behind the last that has an edge.
    same(at.good(*base, "x=1,10,100,1000", "--csr", "row,col,n,val=w.csv", "--set", "n=4")[0], "y: 20 3 0 0\n")
    at.fails(2, *base, "x=1", "--csr", "row,col,n,val=w.csv", "--set", "n=1", says="another number of rows: 2")
    same(at.good(*base, "x=1,10,100", "--csr", "row,col,n,val=e.txt", "--remap")[0], "y: 100 0 10\n")
    same(at.good(*base, "x=1,10,100", "--csr", "row,col,n,val=e.txt", "--remap", "--symmetric")[0], "y: 100 100 11\n")
    same(at.good(*base, "x=1,10,100", "--csr", "row,col,-,val=m.mtx", "--set", "n=3")[0], "y: 6 400 2.5\n")
    same(at.good(*base, "x=1,10,100", "--csr", "row,col=m.mtx", "--set", "n=3", "--in", "val=fill:1")[0],
         "y: 11 100 1\n")
    same(at.good("run", "p.gf", "--edges", "from,to=e.txt", "--out", "sum=-")[0], "sum: 59 97\n")
    same(at.good("run", "p.gf", "--edges", "from,to=e.txt", "--transpose", "--out", "sum=-")[0], "sum: 95 79\n")
    at.fails(2, *base, "x=1", "--csr", "row,col,n,val=m.mtx", "--set", "n=4", says="`n`")
    at.fails(2, *base, "x=1", "--csr", "row,col,n,val=m.mtx", "--in", "col=1", says="`col` was given twice")
    at.fails(2, *base, "x=1", "--csr", "row=m.mtx", says="ROW,COL")
    at.fails(2, *base, "x=1", "--csr", "row,col,n,val,x=m.mtx", says="ROW,COL")
    at.fails(2, *base, "x=1", "--csr", "row,cols=m.mtx", says="`cols`")
    at.fails(4, *base, "x=1", "--csr", "row,col=none.mtx", says="none.mtx")
    at.fails(4, *base, "x=1", "--csr", "row,col=t.zip", says="t.zip")


@test
def a_graph_that_is_cut(at):
    at.write("t.txt", "0 1\n1 2\n2 0\n0 2\n1 0\n2 1\n")
    at.write("g.gf", "program g;\nparam u32 n;\nin u32 row[n + 1];\nin u32 col[];\nout u32 y[n];\n"
                     "kernel (n) { y[gid.x] = row[gid.x]; }\n")
    out, err = at.good("run", "g.gf", "--csr", "row,col,n=t.txt", "--out", "y=-")
    same(out, "y: 0 2 4\n")
    assert "GF0909" not in err, err
    out, err = at.good("run", "g.gf", "--edges", "row,col,n=t.txt", "--out", "y=-")
    assert "warning[GF0909]" in err and "--csr ROW,COL,N=FILE" in err, err


@test
def exit_statuses(at):
    programs = {"w.gf": WRONG, "g.gf": GROW, "t.gf": TRAP, "a.gf": ASSERT, "o.gf": OUTSIDE, "r.gf": RACE,
                "f.gf": FOREVER, "s.gf": STEPS}
    for name, text in programs.items():
        at.write(name, text)
    _, err = at.fails(1, "run", "w.gf", says=("w.gf:4:16: error[GF0201]", "^"))
    assert err.count("error[") == 2, err
    at.fails(3, "run", "s.gf", "--set", "n=8", "--device", "abacus", says="abacus")
    at.fails(3, "run", "s.gf", "--set", "n=8", "--device", "interp", "--strategy", "persistent",
             says="persistent cannot be had")
    at.fails(3, "run", "s.gf", "--set", "n=1000000", "--memory-limit", "64K", says="")
    at.good("run", "s.gf", "--set", "n=1000", "--memory-limit", "1M")
    at.write("sum.gf", SUM)
    huge = ("--in", "x=fill:1", "--size", "x=4294967295", "--in", "acc=iota", "--memory-limit", "1M")
    at.fails(3, "run", "sum.gf", *huge, says=("`x`", "1048576"))
    at.fails(5, "run", "g.gf", "--in", "a=0", "--passes", "3", "--require-converged", says="")
    same(at.good("run", "g.gf", "--in", "a=0", "--passes", "3", "--out", "a=-")[0], "a: 3\n")
    same(at.good("run", "g.gf", "--in", "a=0", "--require-converged", "--out", "a=-")[0], "a: 5\n")
    for strategy in ("native", "resident", "host"):
        at.fails(6, "run", "t.gf", "--set", "n=8", "--strategy", strategy, says=("three", "t.gf:3:"))
        at.fails(6, "run", "a.gf", "--set", "n=3", "--strategy", strategy, says="two are enough")
        at.fails(6, "run", "o.gf", "--checked", "--strategy", strategy, says="o.gf:3:")
        at.fails(7, "run", "f.gf", "--timeout", "0.2", "--strategy", strategy, says="GF0701")
    at.good("run", "o.gf")
    at.fails(6, "run", "r.gf", "--check-races", says="r.gf:3:")
    at.good("run", "r.gf")
    at.write("z.gf", "program z;\nparam u32 n;\nout u32 x[4];\nkernel {\n    let a = 7 / n;\n    forall i in 0 .. a { x[i] = 1; }\n}\n")
    for device in DEVICES:
        at.fails(6, "run", "z.gf", "--set", "n=0", "--checked", "--device", device["name"],
                 says=("z.gf:5:13", "the grid divides by zero"))
    at.fails(3, "emit", "s.gf", "--target", "spirv", "--segment", "0", "-o", "x", says="spirv")
    at.good("emit", "s.gf", "--target", "ptx", "--segment", "0", "-o", "x.ptx")
    with open(os.path.join(at.folder, "x.ptx"), encoding="utf-8") as text:
        assert ".visible .entry" in text.read()
    at.fails(2, "emit", "s.gf", "--target", "ptx", "--segment", "7", says="segment 7")
    if has("cpu"):
        at.good("emit", "s.gf", "--target", "llvm", "--segment", "0", "-o", "x.ll")
        with open(os.path.join(at.folder, "x.ll"), encoding="utf-8") as text:
            assert "define" in text.read()
        at.fails(2, "emit", "s.gf", "--target", "llvm", "--segment", "7", says="segment 7")
        at.fails(2, "emit", "s.gf", "--target", "llvm", "--segment", "x", says="number of a segment")
    else:
        at.fails(3, "emit", "s.gf", "--target", "llvm", says="llvm")
    at.write("c.gf", "program c;\nconst u32 A = 0 - 1;\nkernel (A) { }\n")
    at.fails(1, "check", "c.gf", says="does not fit u32")
    at.fails(1, "emit", "w.gf", "--target", "llvm")
    at.fails(2, "emit", "s.gf", "--target", "cobol", says="llvm, ptx, spirv")


@test
def interrupt(at):
    at.write("f.gf", FOREVER)
    for strategy in ("native", "resident", "host"):
        process = subprocess.Popen([BINARY, "run", "f.gf", "--out", "y=y.npy", "--strategy", strategy], cwd=at.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
        assert process.returncode == 130 and out == b"" and b"cancelled" in err, (process.returncode, out, err)
        assert not os.path.exists(os.path.join(at.folder, "y.npy"))


@test
def terminal(at):
    """Colour and the progress line on a terminal; neither without, no colour with NO_COLOR."""
    at.write("w.gf", WRONG)
    at.write("f.gf", FOREVER)

    def on_terminal(args, **env):
        master, slave = pty.openpty()
        process = subprocess.Popen([BINARY, *args], cwd=at.folder, stdout=subprocess.PIPE, stderr=slave,
                                   env={**os.environ, **env})
        os.close(slave)
        data = b""
        try:
            while chunk := os.read(master, 65536):
                data += chunk
        except OSError:
            pass
        process.communicate(timeout=LIMIT)
        os.close(master)
        return data

    assert b"\033[" in on_terminal(["check", "w.gf"], NO_COLOR="")
    assert b"\033[" not in on_terminal(["check", "w.gf"], NO_COLOR="1")
    assert "\033" not in at.fails(1, "check", "w.gf")[1]
    assert b"pass 0" in on_terminal(["run", "f.gf", "--timeout", "1.6"])
    assert b"pass 0" not in on_terminal(["run", "f.gf", "--timeout", "1.6", "--quiet"])


@test
def json_of_run(at):
    at.write("s.gf", STEPS)
    at.write("g.gf", GROW)
    at.write("n.gf", SPECIAL)
    for strategy, launches, segments in (("native", 1, 0), ("resident", 2, 2), ("host", 2, 2)):
        out, err = at.good("run", "s.gf", "--set", "n=4", "--device", "interp", "--strategy", strategy, "--json", "--out",
                           "y=-")
        run = json.loads(out)
        same(err, "")
        same(run["outputs"], {"y": [3, 2, 1, 0]})
        same([run[k] for k in ("strategy", "device", "passes", "converged", "launches", "status", "program")],
             [strategy, "interp", 1, None, launches, 0, "steps"])
        assert run["segments"] == segments and run["reason"] and run["bytes_carried"] == 0
        assert run["seconds"]["wall"] > 0 and run["profile"] and run["diagnostics"] == []
        if strategy != "native":
            same([entry["region"] for entry in run["profile"]], ["first", "second"])
    same(json.loads(at.good("run", "g.gf", "--in", "a=0", "--json")[0])["converged"], True)
    run = json.loads(at.good("run", "g.gf", "--in", "a=0", "--json", "--passes", "2")[0])
    same((run["converged"], run["passes"], run["outputs"]), (False, 2, {}))
    same(json.loads(at.good("run", "n.gf", "--json", "--out", "y=-")[0])["outputs"]["y"], ["nan", "inf", "-inf", 1.5])
    out, err = at.fails(2, "run", "s.gf", "--json")
    run = json.loads(out)
    assert run["status"] == 2 and run["diagnostics"][0]["code"] == "GF0906" and "--set n" in run["diagnostics"][0]["fix"]


@test
def times_and_trace(at):
    at.write("s.gf", STEPS)
    for strategy in ("native", "resident", "host"):
        _, err = at.good("run", "s.gf", "--set", "n=4", "--device", "interp", "--strategy", strategy, "--time",
                         "--explain", "--repeat", "5", "--trace", "t.json")
        assert "run (median)" in err and "launches" in err and f"strategy {strategy} on interp: " in err, err
        trace = json.loads(at.read("t.json"))
        spans = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        assert spans and all(event["dur"] >= 0 and event["ts"] >= 0 and event["name"] for event in spans)
        if strategy != "native":
            assert {"first", "second"} <= {event["name"] for event in spans}
    same(json.loads(at.good("run", "s.gf", "--set", "n=4", "--repeat", "3", "--json")[0])["repeat"], 3)
    at.fails(4, "run", "s.gf", "--set", "n=4", "--trace", "nowhere/t.json", says="nowhere")
    # From the same inputs each time.
    at.write("g.gf", "program once;\ninout u32 a[1];\nkernel (1) { a[0] += 1; }\n")
    same(at.good("run", "g.gf", "--in", "a=5", "--repeat", "4", "--out", "a=-")[0], "a: 6\n")


@test
def workgroups(at):
    at.write("s.gf", STEPS)
    at.write("l.gf", LANES)
    same(at.good("run", "s.gf", "--set", "n=3", "--workgroup", "2", "--out", "y=-")[0], "y: 2 1 0\n")
    same(at.good("run", "l.gf", "--set", "n=3", "--workgroup", "4", "--out", "y=-")[0], "y: 0 1 2\n")
    at.fails(2, "run", "l.gf", "--set", "n=3", "--workgroup", "2", says="")


@test
def check_command(at):
    at.write("s.gf", STEPS)
    at.write("o.gf", ORDER)
    at.write("w.gf", WRONG)
    same(at.good("check", "s.gf"), ("s.gf: ok, order-free\n", ""))
    out, _ = at.good("check", "o.gf")
    assert out.startswith("o.gf: ok, not order-free\n") and "line 6" in out, out
    data = json.loads(at.good("check", "o.gf", "--json")[0])
    assert data["ok"] and data["order_free"] is False and data["order"][0]["line"] == 6
    out, err = at.fails(1, "check", "w.gf", "--json")
    data = json.loads(out)
    same((data["ok"], data["order_free"], data["status"], err), (False, None, 1, ""))
    same([item["line"] for item in data["diagnostics"]], [4, 5])


@test
def plan_command(at):
    at.write("s.gf", STEPS)
    assert "plan steps: 2 segments" in at.good("plan", "s.gf")[0]
    assert at.good("plan", "s.gf", "--dot")[0].startswith("digraph")
    data = json.loads(at.good("plan", "s.gf", "--json", "--set", "n=1000")[0])
    same(len(data["segments"]), 2)
    assert '"bytes": 4000' in at.good("plan", "s.gf", "--json", "--set", "n=1000")[0]
    assert at.good("plan", "s.gf", "--segments")[0].count("program ") == 2
    same(at.good("plan", "s.gf", "--svg", "s.svg")[0], "")
    assert b"<svg" in at.read("s.svg")
    at.fails(4, "plan", "s.gf", "--svg", "nowhere/s.svg", says="nowhere")
    at.write("w.gf", WRONG)
    data = json.loads(at.fails(1, "plan", "w.gf", "--json")[0])
    same((data["status"], [item["line"] for item in data["diagnostics"]]), (1, [4, 5]))
    at.fails(2, "plan", "s.gf", "--set", "m=1", says="`m`")
    at.write("k.gf", "program k;\ninout u32 x[4];\nkernel (4) { x[gid.x] += 1; grid_barrier; x[gid.x] += 1; }\n")
    assert "1 dropped" in at.good("plan", "k.gf")[0] and "0 dropped" in at.good("plan", "k.gf", "--keep-barriers")[0]
    at.write("e.gf", "program e;\nout u32 x[4];\nkernel (4) { grid_barrier; x[gid.x] = 1; grid_barrier; }\n")
    same(len(json.loads(at.good("plan", "e.gf", "--json")[0])["segments"]), 1)
    same(len(json.loads(at.good("plan", "e.gf", "--json", "--keep-empty")[0])["segments"]), 3)
    same(json.loads(at.good("run", "e.gf", "--json", "--keep-empty", "--strategy", "host")[0])["segments"], 3)


@test
def fmt_command(at):
    ugly = "program   p ;\nout u32 x[ 4 ];\nkernel(4){x[gid.x]=1;} // done\n"
    at.write("u.gf", ugly)
    text = at.good("fmt", "u.gf")[0]
    assert "// done" in text
    at.fails(1, "fmt", "--check", "u.gf", says="canonical")
    same(at.read("u.gf").decode(), ugly)
    same(at.good("fmt", "--write", "u.gf")[0], "")
    same(at.read("u.gf").decode(), text)
    same(at.good("fmt", "--check", "u.gf")[0], "")
    at.write("w.gf", "program p\n")
    at.fails(1, "fmt", "--write", "w.gf", "u.gf", says="w.gf")
    same(at.read("w.gf").decode(), "program p\n")
    at.fails(2, "fmt", says="wants a program")


@test
def diff_command(at):
    for name, text in {"s.gf": STEPS, "o.gf": ORDER, "t.gf": TRAP, "g.gf": GROW}.items():
        at.write(name, text)
    out, _ = at.good("diff", "s.gf", "--set", "n=100")
    rows = [line.split() for line in out.splitlines()]
    same(rows[0], ["device", "strategy", "passes", "converged", "result"])
    four = ("native", "persistent", "resident", "host")
    same([row[:2] for row in rows[1:]],
         [["interp", "native"]] + [[device["name"], s] for device in DEVICES for s in four
                                   if (device["name"], s) != ("interp", "native")])
    ways = sum(len(device["strategies"]) for device in DEVICES) - 1
    same((len([row for row in rows[1:] if row[4] == "same"]), out.count("not here")), (ways, 4 * len(DEVICES) - 1 - ways))
    same(at.good("diff", "s.gf", "--set", "n=3", "--out", "y=-")[0].splitlines()[0], "y: 2 1 0")
    at.good("diff", "g.gf", "--in", "a=0", "--keep-barriers")
    rows = at.good("diff", "s.gf", "--set", "n=9", "--device", "interp", "--strategy", "host")[0].splitlines()
    same([row.split()[:2] for row in rows[1:]], [["interp", "native"], ["interp", "host"]])
    at.fails(3, "diff", "s.gf", "--set", "n=9", "--device", "vulkan", says="vulkan")
    before = os.listdir(at.folder)
    assert "<svg" in at.good("plan", "s.gf", "--svg", "-")[0]
    assert "entry" in at.good("emit", "s.gf", "--target", "ptx", "-o", "-")[0]
    same(os.listdir(at.folder), before)
    data = json.loads(at.good("diff", "s.gf", "--set", "n=3", "--out", "y=-", "--json")[0])
    same((data["status"], data["order_free"], data["differences"], data["outputs"]), (0, True, 0, {"y": [2, 1, 0]}))
    same([(run["strategy"], run["passes"], run["converged"]) for run in data["runs"]
          if run["result"] == "same" and run["device"] == "interp"], [("resident", 1, None), ("host", 1, None)])
    data = json.loads(at.fails(6, "diff", "t.gf", "--set", "n=8", "--json")[0])
    same((data["status"], data["diagnostics"][0]["name"]), (6, "trap"))
    same(json.loads(at.fails(2, "diff", "s.gf", "--json")[0])["status"], 2)
    at.fails(6, "diff", "t.gf", "--set", "n=8", says="three")
    status, out, err = at.run("diff", "o.gf", "--set", "n=9", "--in", "x=1")
    assert (status == 0 and "differs" not in out) or (status == 6 and "o.gf:6:" in err), (status, out, err)
    at.good("diff", "o.gf", "--set", "n=9", "--in", "x=1", "--tolerate-order")


@test
def devices_command(at):
    data = json.loads(at.good("devices", "--json")[0])
    same([device["name"] for device in data if device["name"] in ("cpu", "interp")],
         ["cpu", "interp"] if has("cpu") else ["interp"])
    for device in data:
        assert device["limits"]["max_workgroup"] >= 256 and device["measured"]["operations_per_second"] > 0, device
        assert device["name"] in at.good("devices")[0]
    same(data[-1]["strategies"], ["native", "resident", "host"])
    same((data[-1]["limits"]["threads"], data[-1]["about"]), (0, {}))
    for options in (("--threads", "1"), ("--no-cache",), ("--unchecked",)):
        same(len(json.loads(at.good("devices", "--json", *options)[0])), len(data))


@test
def options_of_a_device(at):
    """Threads, the kernel cache and bounds: taken by every command that opens a device, and told when they are wrong."""
    at.write("s.gf", STEPS)
    run = ("run", "s.gf", "--set", "n=4", "--out", "y=-")
    for command in (run, ("diff", "s.gf", "--set", "n=4"), ("devices",)):
        for options in (("--threads", "1"), ("--threads=3", "--no-cache"), ("--unchecked",)):
            at.good(*command, *options)
        for value in ("0", "-1", "x", "", "1.5", "4097", "99999999999999999999"):
            at.fails(2, *command, f"--threads={value}", says="--threads")
        at.fails(2, *command, "--no-cache=1", says="takes no value")
        assert all(word in at.good(command[0], "--help")[0] for word in ("--threads N", "--no-cache", "--unchecked",
                                                                         "GRIDFENCE_THREADS", "undefined"))
        for value in ("0", "-2", "many", "4097"):
            environment = {**os.environ, "GRIDFENCE_THREADS": value}
            at.fails(2, *command, says=("GRIDFENCE_THREADS", f"'{value}'"), env=environment)
            at.good(*command, "--threads", "2", env=environment)
        at.good(*command, env={**os.environ, "GRIDFENCE_THREADS": ""})
        at.good(*command, env={**os.environ, "GRIDFENCE_THREADS": "2"})
    for checks in ("--checked", "--check-races"):
        at.fails(2, *run, "--unchecked", checks, says=checks)
        same(at.good(*run, checks)[0], "y: 3 2 1 0\n")
        same(at.good(*run, checks, "--device", "auto")[0], "y: 3 2 1 0\n")
    at.fails(2, "check", "s.gf", "--threads", "2", says="no option")
    at.fails(3, *run, "--device", "interp:1", says="interp:1")
    at.fails(3, *run, "--device", "auto:1", says="auto:1")
    if not has("cpu"):
        at.fails(3, *run, "--device", "cpu", says="built without LLVM")


@test
def device_cuda(at):
    """Where there is no driver: said by name, passed over by auto."""
    at.write("s.gf", STEPS)
    none = {**os.environ, "GRIDFENCE_CUDA_LIBRARY": "/nowhere/libcuda.so.1"}
    run = ("run", "s.gf", "--set", "n=4", "--out", "y=-")
    for name in ("cuda", "cuda:0", "cuda:7", "cuda:x"):
        at.fails(3, *run, "--device", name, says=("GF0620", "`/nowhere/libcuda.so.1`", "NVIDIA driver"), env=none)
    at.fails(3, *run, "--device", "cuda:", says="cuda:", env=none)
    same(at.good(*run, env=none)[0], "y: 3 2 1 0\n")
    same(at.good(*run, "--device", "auto", env=none)[0], "y: 3 2 1 0\n")
    assert "cuda is not here: the NVIDIA driver's library `/nowhere/libcuda.so.1`" in at.good("devices", env=none)[0]
    assert not any(device["name"].startswith("cuda") for device in json.loads(at.good("devices", "--json", env=none)[0]))


@test
def device_cpu(at):
    if not has("cpu"):
        return "device cpu is not built in"
    at.write("s.gf", STEPS)
    at.write("t.gf", TRAP)
    at.write("f.gf", FOREVER)
    at.write("o.gf", OUTSIDE)
    same(DEVICES[0]["name"], "cpu")
    same(DEVICES[0]["strategies"], ["native", "persistent", "resident", "host"])
    assert DEVICES[0]["limits"]["native_is_resident"] and DEVICES[0]["limits"]["threads"] >= 1
    text = at.good("devices", "--threads", "3")[0]
    assert text.startswith("cpu\n") and "  threads: 3\n" in text and "native and resident are the same" in text, text
    told = {what.lower() for what in DEVICES[0]["about"]}
    assert "processor" in told and any("cache" in what for what in told), told
    same(json.loads(at.good("devices", "--json", env={**os.environ, "GRIDFENCE_THREADS": "5"})[0])[0]["limits"]["threads"],
         5)
    same_words = "native and resident are the same on device `cpu`"
    says = {"auto": same_words, "native": same_words, "resident": same_words, "host": "asked for",
            "persistent": "each worker keeps its share of the workgroups across barriers"}
    base = ("run", "s.gf", "--set", "n=1000", "--device", "cpu")
    wanted = "y: " + " ".join(str(v) for v in range(999, -1, -1)) + "\n"
    for strategy, reason in says.items():
        for threads in ("1", "2", "4"):
            out, err = at.good(*base, "--strategy", strategy, "--threads", threads, "--out", "y=-", "--explain", "--time")
            same(out, wanted)
            shown = "native" if strategy == "auto" else strategy
            assert f"strategy {shown} on cpu: " in err and reason in err, err
            assert 'segment 0 "first"' in err and 'segment 1 "second"' in err, err
        run = json.loads(at.good(*base, "--strategy", strategy, "--json")[0])
        same((run["segments"], [entry["region"] for entry in run["profile"]]), (2, ["first", "second"]))
        assert all(entry["launches"] >= 1 and entry["seconds"] >= 0 for entry in run["profile"]), run["profile"]
        if strategy != "host":
            same((run["bytes_up"], run["bytes_down"]), (0, 0))
        at.fails(6, "run", "t.gf", "--set", "n=8", "--device", "cpu", "--strategy", strategy, says=("three", "t.gf:3:"))
        at.fails(7, "run", "f.gf", "--timeout", "0.2", "--device", "cpu", "--strategy", strategy, says="GF0701")
    same(at.good("run", "o.gf", "--device", "cpu", "--out", "y=-")[0], "y: 1 1\n")
    at.fails(3, *base, "--check-races", says="cannot check for races")
    at.fails(3, "run", "s.gf", "--set", "n=8", "--device", "cpu:1", says="")
    cache = {**os.environ, "GRIDFENCE_CACHE": os.path.join(at.folder, "cache"), "HOME": at.folder}
    at.good(*base, "--no-cache", env=cache)
    assert not os.path.exists(os.path.join(at.folder, "cache")) or not os.listdir(os.path.join(at.folder, "cache"))
    for _ in range(2):
        same(at.good(*base, "--out", "y=-", env=cache)[0], wanted)
    assert os.listdir(os.path.join(at.folder, "cache")), "nothing was kept"
    return None


@test
def kernels_on_disk(at):
    """What the first run compiled, the second one reads; what is damaged is compiled again and replaced."""
    if not has("cpu"):
        return "device cpu is not built in"
    at.write("s.gf", STEPS)
    folder = os.path.join(at.folder, "kernels")
    wanted = "y: " + " ".join(str(v) for v in range(99, -1, -1)) + "\n"

    def run(*options):
        env = {**os.environ, "GRIDFENCE_CACHE": folder}
        same(at.good("run", "s.gf", "--set", "n=100", "--device", "cpu", "--out", "y=-", *options, env=env)[0], wanted)
        return sorted(os.path.join(folder, name) for name in os.listdir(folder)) if os.path.isdir(folder) else []

    def content(path):
        with open(path, "rb") as file:
            return file.read()

    same(run("--no-cache"), [])
    entries = run()
    same(len(entries), 1)
    entry, good = entries[0], content(entries[0])
    os.utime(entry, (1e9, 1e9))
    before = os.stat(entry)
    same(run("--no-cache"), entries)
    same(os.stat(entry).st_mtime, before.st_mtime)
    # An entry that is read counts as new again; one that is written would be another file.
    same(run(), entries)
    after = os.stat(entry)
    assert after.st_ino == before.st_ino and after.st_mtime > before.st_mtime, (before, after)
    for damaged in (b"", good[:-1], good[:len(good) // 2], good[:200] + bytes([good[200] ^ 1]) + good[201:],
                    good[:-9] + bytes([good[-9] ^ 128]) + good[-8:]):
        with open(entry, "wb") as file:
            file.write(damaged)
        same(run(), entries)
        same(len(content(entry)), len(good))
        assert content(entry) != damaged
    assert len(run("--unchecked")) == 2 and len(run()) == 2, "other options are another kernel"
    return None


@test
def unchecked_is_safe_where_nothing_is_outside(at):
    if not has("cpu"):
        return "device cpu is not built in"
    program = os.path.join(ROOT, "programs", "components.gf")
    out, _ = at.good("run", program, "--device", "cpu", "--unchecked", "--set", "n=300000", "--in", "row=fill:0", "--in",
                     "col=fill:0", "--size", "col=0", "--out", "count=-")
    same(out, "count: 300000\n")
    return None


@test
def bench_command(at):
    names = [line.split()[0] for line in at.good("bench", "--list")[0].splitlines()]
    assert {"flows_to", "reach", "bfs", "scan", "sort"} <= set(names), names
    rows = json.loads(at.good("bench", "reach", "--json", "--quick", "--device", "interp", "--repeat", "2")[0])
    same({row["strategy"] for row in rows}, {"native", "resident", "host"})
    for row in rows:
        assert set(row) >= {"device", "name", "ok", "peers", "seconds", "size", "strategy"}
        assert row["ok"] is True and row["name"] == "reach" and row["seconds"] > 0 and row["peers"] == {}
        same(len(row["times"]), 2)
    # Every workload, checked, on whatever is here.
    rows = json.loads(at.good("bench", "--json", "--quick", "--strategy", "auto")[0])
    same(sorted({row["name"] for row in rows}), sorted(names))
    assert all(row["ok"] for row in rows)
    at.fails(2, "bench", "--strategy", "fast", says="--strategy")
    at.fails(2, "bench", "--rounds", "0", says="--rounds")
    at.fails(3, "bench", "--quick", "--device", "interp", "--strategy", "persistent", "reach")
    at.fails(4, "bench", "flows_to", "--device", "interp", "--graphs", "nowhere", says="targets.txt")


@test
def bench_for_gpus(at):
    fake = os.path.join(os.path.dirname(BINARY), "tests", "fake_cuda", "libcuda.so.1")
    if not os.path.exists(fake):
        return "the fake driver was not built"
    env = {**os.environ, "GRIDFENCE_CUDA_LIBRARY": fake, "FAKE_CUDA_RUN": "1"}
    rows = json.loads(at.good("bench", "sort", "scan", "--json", "--quick", "--strategy", "all", env=env)[0])
    assert all(row["ok"] for row in rows)
    for row in rows:  # a GPU has a program of its own for one of them
        same(row.get("program"), "sort_groups" if row["device"] == "cuda" and row["name"] == "sort" else None)
    same({row["strategy"] for row in rows if row["device"] == "cuda"}, {"auto", "native", "persistent", "resident", "host"})
    return None


# A peer that says that it took a quarter of a second, and what it hands back.
PEER = """#!/usr/bin/python3
import array, sys
workload, folder, rounds, threads = sys.argv[1:]
if workload != "reach":
    sys.exit(print("unsupported"))
load = lambda name: array.array("I", open(f"{folder}/{name}.u32", "rb").read())
row, col, dist = load("row"), load("col"), load("dist")
assert f"n {len(dist)}\\n" in open(folder + "/params.txt").read() and rounds == "3" and threads == "2"
print("ready", flush=True)
for line in sys.stdin:
    if line == "go\\n":
        queue = [v for v, d in enumerate(dist) if d == 0]
        for v in queue:
            for to in col[row[v]:row[v + 1]]:
                if dist[to] > dist[v] + 1:
                    dist[to] = dist[v] + 1
                    queue.append(to)
        print("seconds 0.25", flush=True)
    elif line == "result\\n":
        %s
        print("done", flush=True)
"""


@test
def bench_peers(at):
    os.mkdir(os.path.join(at.folder, "peers"))
    for name, text in (("right", PEER % 'dist.tofile(open(folder + "/out-dist.u32", "wb"))'),
                       ("wrong", PEER % 'dist[5] = 77; dist.tofile(open(folder + "/out-dist.u32", "wb"))'),
                       ("short", PEER % 'dist[:9].tofile(open(folder + "/out-dist.u32", "wb"))'),
                       ("silent", PEER % "pass"),
                       ("broken", PEER % "sys.exit(1)"),
                       ("none", "#!/bin/sh\necho unsupported\n"), ("dead", "#!/bin/sh\nexit 1\n")):
        os.chmod(at.write(f"peers/peer-{name}", text), 0o755)
    out, _ = at.good("bench", "reach", "--json", "--quick", "--device", "interp", "--strategy", "host", "--rounds", "3",
                     "--threads", "2", "--peers", "peers", "--data", ".", "--out", "rows.json", "--svg", "rows.svg")
    row, = json.loads(out)
    same(row["peers"], {"right": 0.25})
    same(row["peer_times"], {"right": [0.25] * 3})
    assert abs(row["ratios"]["right"] - row["seconds"] / 0.25) < 0.001 * row["ratios"]["right"]
    same(sorted(row["peers_failed"]), ["broken", "dead", "short", "silent", "wrong"])
    same(json.loads(at.read("rows.json")), [row])
    assert b"</svg>" in at.read("rows.svg") and b">right<" in at.read("rows.svg")
    same(sorted(os.listdir(os.path.join(at.folder, "reach"))), ["col.u32", "dist.u32", "params.txt", "row.u32"])
    out, _ = at.good("bench", "reach", "--quick", "--device", "interp", "--rounds", "3", "--threads", "2", "--peers", "peers")
    assert "wrong failed: " in out and "dead failed: ended without an answer" in out, out


@test
def rmat_command(at):
    first = at.good("rmat", "6", "4", "1")[0]
    same(first, at.good("rmat", "6", "4", "1")[0])
    pairs = [tuple(map(int, line.split())) for line in first.splitlines()]
    assert len(pairs) == 256 and all(0 <= v < 64 for pair in pairs for v in pair)
    assert first != at.good("rmat", "6", "4", "2")[0]
    at.fails(2, "rmat", "99", "1", "1")


@test
def huge_numbers(at):
    at.write("t.gf", TWICE)
    at.write("a.gf", SUM)
    at.fails(2, "run", "t.gf", "--set", "n=99999999999", "--in", "x=1", says="does not fit u32")
    for source in ("fill:1e999", "fill:-1e999"):
        status, _, _ = at.run("run", "t.gf", "--set", "n=1", "--in", f"x={source}")
        assert status in (0, 4), status
    status, _, err = at.run("run", "a.gf", "--in", "x=fill:1", "--size", "x=9223372036854775807", "--in", "acc=fill:1")
    assert status in (2, 3, 4), (status, err)
    at.write("m.gf", "program m;\nparam u64 n;\nout u32 y[n * n];\nkernel (1) { y[0] = 1; }\n")
    status, _, err = at.run("run", "m.gf", "--set", "n=18446744073709551615")
    assert status == 2 and "y" in err, (status, err)


def attempt(one):
    """How it went, and a line about it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            why_not = one(Here(folder))
            return ("skip", f"{one.__name__}: {why_not}") if why_not is not None else ("ok  ", one.__name__)
        except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError, OSError) as error:
            line = error.__traceback__
            while line.tb_next is not None and line.tb_next.tb_frame.f_code.co_filename == __file__:
                line = line.tb_next
                if line.tb_frame.f_code is one.__code__:
                    place = line.tb_lineno
            return "FAIL", f"{one.__name__} (line {place}): {type(error).__name__}: {error}"


def main():
    global BINARY
    arguments = sys.argv[1:]
    if "--bin" in arguments:
        place = arguments.index("--bin")
        BINARY = os.path.abspath(arguments[place + 1])
        del arguments[place:place + 2]
    failed = skipped = 0
    DEVICES.extend(json.loads(subprocess.run([BINARY, "devices", "--json"], capture_output=True, timeout=LIMIT,
                                             check=True).stdout))
    wanted = [t for t in tests if not arguments or any(word in t.__name__ for word in arguments)]
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for word, line in pool.map(attempt, wanted):
            failed, skipped = failed + (word == "FAIL"), skipped + (word == "skip")
            print(f"{word} {line}")
    print(f"{len(wanted) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
