#!/usr/bin/python3
"""Files that cannot be written: disks that are full, folders that are not there or protected, other things in place of
files, readers that have gone. The command says so with status 4, leaves older files as they were, leaves nothing of its
own behind, and where it can it looks before the work begins. files.py [--bin PATH] [WORD...]"""
import os
import resource
import subprocess
import sys
import time

from harness import Skip, main, same, test

FOREVER = "program forever;\nparam u32 n;\nin u32 x[n];\nout u32 y[n];\n" \
          "kernel (n) { var u32 i = 0; while i < 1 { y[gid.x] += x[gid.x]; } }\n"
COPY = "program copies;\nparam u32 n;\nin u32 x[n];\nout u32 y[n];\nkernel (n) { y[gid.x] = x[gid.x] + 1000000; }\n"
CHANGE = "program changes;\nparam u32 n;\nparam u32 bad = 99;\ninout u32 x[n];\n" \
         "kernel (n) { x[gid.x] += 1; if gid.x == bad { trap(\"bad\", gid.x); } }\n"
LONG = "program long;\nparam u32 n;\nout u32 y[n];\nkernel (n) {\n" + \
       "".join(f"    y[gid.x] += {i};\n    grid_barrier;\n" for i in range(120)) + "}\n"
RUN = ["--set", "n=5000", "--in", "x=iota", "--device", "interp", "--quiet"]

# What writes which file.
WRITERS = [
    ("y.npy", ["run", "copy.gf", *RUN, "--out", "y=y.npy"]),
    ("y.bin", ["run", "copy.gf", *RUN, "--out", "y=y.bin"]),
    ("y.txt", ["run", "copy.gf", *RUN, "--out", "y=y.txt"]),
    ("t.json", ["run", "long.gf", "--set", "n=4", "--device", "interp", "--strategy", "host", "--quiet",
                "--keep-barriers", "--trace", "t.json"]),
    ("p.svg", ["plan", "long.gf", "--keep-barriers", "--svg", "p.svg"]),
    ("m.ptx", ["emit", "long.gf", "--target", "ptx", "-o", "m.ptx"]),
    ("ugly.gf", ["fmt", "--write", "ugly.gf"]),
    ("b.json", ["bench", "reach", "pagerank", "scan", "--quick", "--device", "interp", "--json", "--out", "b.json"]),
    ("b.svg", ["bench", "reach", "--quick", "--device", "interp", "--json", "--svg", "b.svg"]),
]
UGLY = LONG.replace("    ", "  ")


def fill(at):
    at.write("copy.gf", COPY)
    at.write("change.gf", CHANGE)
    at.write("long.gf", LONG)
    at.write("forever.gf", FOREVER)
    at.write("ugly.gf", UGLY)


def with_name(args, name, other):
    return [word.replace(name, other) for word in args]


def no_larger_than(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@test
def a_file_that_may_not_grow(at):
    """Over the limit of the process on file sizes: with an older file there, and without."""
    fill(at)
    for name, args in WRITERS:
        if name not in ("ugly.gf", "b.json", "b.svg"):
            at.fails_and_leaves(4, *args, before=no_larger_than(2000), says=("error[GF08", name))
        if name != "ugly.gf":
            at.write(name, "old")
        at.fails_and_leaves(4, *args, before=no_larger_than(500), says=("error[GF08", name))
        at.good(*args)
        assert at.read(name) not in (b"old", UGLY.encode()), name


@test
def a_full_disk(at):
    """A file system with room for a few thousand bytes; it is full when the file is written, or from the start."""
    fill(at)
    small = at.path("small")
    os.mkdir(small)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k,mode=777", "tmpfs", small], capture_output=True,
                          check=False)
    if done.returncode != 0:
        raise Skip("no file system can be mounted here")
    try:
        for name, args in WRITERS:
            if name in ("ugly.gf", "b.json", "b.svg"):
                continue
            path = os.path.join(small, name)
            with open(path, "wb") as file:
                file.write(b"old")
            at.own(path)
            before = at.look(small)
            err = at.fails(4, *with_name(args, name, "small/" + name), says=("error[GF08", name))
            assert "space" in err, err
            same(at.look(small), before)
            os.remove(path)
    finally:
        subprocess.run(["umount", small], check=True)


@test
def folders_that_cannot_have_it(at):
    """Not there, not to be written, a file instead of a folder, a folder instead of the file."""
    fill(at)
    at.write("file", "old")
    os.mkdir(at.path("closed"), 0o555)
    os.mkdir(at.path("folder"))
    os.symlink("round", at.path("round"))
    at.write("closed/kept", "old")
    at.write("protected", "old", 0o444)
    for name, args in WRITERS:
        extension = name[name.index("."):]
        if name == "ugly.gf":
            continue
        os.mkdir(at.path("folder", name))
        at.write("locked" + extension, "old", 0o444)
        if not os.path.islink(at.path("round" + extension)):
            os.symlink("round" + extension, at.path("round" + extension))
        for other in ("absent/" + name, "file/" + name, "closed/" + name, "folder/" + name, "locked" + extension,
                      "round" + extension, "x" * 300 + extension):
            at.fails_and_leaves(4, *with_name(args, name, other), says=("error[GF08", other))
    at.write("closed/ugly.gf", UGLY)
    at.fails_and_leaves(4, "fmt", "--write", "closed/ugly.gf", says="closed/ugly.gf")


@test
def looked_at_before_the_work(at):
    """A run that would never end does not begin."""
    fill(at)
    begin = time.monotonic()
    run = ["run", "forever.gf", "--set", "n=4", "--in", "x=iota", "--quiet"]
    for more in (["--out", "y=absent/y.npy"], ["--out", "y=y.npy", "--trace", "absent/t.json"],
                 ["--out", "y=y.npy", "--out", "x=absent/x.npy"], ["--out", "y=y.npy", "--out", "y=y.what"]):
        status, _, err = at.run(*run, *more)
        assert status in (2, 4) and "error[GF" in err, (more, status, err)
    for more in (["--out", "absent/b.json"], ["--out", "b.json", "--svg", "absent/b.svg"]):
        at.fails_and_leaves(4, "bench", *more, "--json", says="absent/")
    assert time.monotonic() - begin < 20


@test
def the_input_is_the_output(at):
    """What is read and written by one name is replaced when all went well, and is as before where not."""
    fill(at)
    at.good("run", "change.gf", "--set", "n=3", "--in", "x=5,6,7", "--out", "x=x.npy", "--quiet")
    run = ["run", "change.gf", "--set", "n=3", "--in", "x=x.npy", "--out", "x=x.npy", "--quiet"]
    at.fails_and_leaves(6, *run, "--set", "bad=2", says="bad")
    at.fails_and_leaves(7, *run, "--timeout", "0.000001")
    at.fails_and_leaves(4, *run, before=no_larger_than(100))
    at.good(*run)
    same(at.good("run", "change.gf", "--set", "n=3", "--in", "x=x.npy", "--out", "x=-", "--quiet"), "x: 8 9 10\n")


@test
def links_and_permissions(at):
    """Of a link the target is replaced, by way of the target's folder; a file keeps its permissions."""
    fill(at)
    os.mkdir(at.path("there"))
    at.own(at.path("there"))
    at.write("there/real.bin", "old", 0o600)
    os.symlink("there/real.bin", at.path("y.bin"))
    os.symlink("there/new.bin", at.path("new.bin"))
    at.good("run", "copy.gf", *RUN, "--out", "y=y.bin")
    at.good("run", "copy.gf", *RUN, "--out", "y=new.bin")
    assert os.path.islink(at.path("y.bin")) and os.path.islink(at.path("new.bin"))
    same(os.path.getsize(at.path("there/real.bin")), 20000)
    same(os.path.getsize(at.path("there/new.bin")), 20000)
    same(os.stat(at.path("there/real.bin")).st_mode & 0o777, 0o600)
    os.chmod(at.path("there"), 0o555)
    at.fails_and_leaves(4, "run", "copy.gf", *RUN, "--out", "y=y.bin", says="there/real.bin")


@test
def standard_output(at):
    """Full, closed, or with a reader that has gone: at once, after some lines, with much still to come."""
    fill(at)
    printing = [["run", "copy.gf", *RUN, "--out", "y=-"], ["run", "copy.gf", *RUN, "--out", "y=-", "--json"],
                ["plan", "long.gf", "--json"], ["fmt", "long.gf"], ["emit", "long.gf", "--target", "ptx"],
                ["devices"], ["rmat", "8", "8", "1"], ["bench", "reach", "--quick", "--device", "interp", "--json"]]
    for args in printing:
        with open("/dev/full", "wb") as full:
            at.fails_and_leaves(4, *args, stdout=full, says="standard output")
        at.fails_and_leaves(4, *args, stdout=None, before=lambda: os.close(1), says="standard output")
        read, write = os.pipe()
        os.close(read)
        at.fails_and_leaves(4, *args, stdout=write, says="standard output")
        os.close(write)
    at.write("twice.gf", COPY)
    run = ["run", "twice.gf", "--set", "n=200000", "--in", "x=iota", "--device", "interp", "--quiet", "--out", "y=-"]
    process = at.start(*run)
    same(process.stdout.read(12), b"y: 1000000 1")
    process.stdout.close()
    err = process.stderr.read()
    same(process.wait(timeout=60), 4)
    assert b"standard output" in err, err
    process.stderr.close()


@test
def devices_and_pipes(at):
    """They take results as they come; nothing takes their place, and a pipe without a reader is not waited for."""
    fill(at)
    emit = ["emit", "long.gf", "--target", "ptx", "-o"]
    same(at.run(*emit, "/dev/null")[0], 0)
    at.fails_and_leaves(4, *emit, "/dev/full", says="no space")
    os.mkfifo(at.path("pipe"))
    os.chmod(at.path("pipe"), 0o666)
    at.fails_and_leaves(4, *emit, "pipe", says="nobody reads it")
    process = subprocess.Popen(["cat", at.path("pipe")], stdout=subprocess.PIPE)
    reader = os.open(at.path("pipe"), os.O_WRONLY)  # so that cat has begun
    same(at.run(*emit, "pipe")[0], 0)
    os.close(reader)
    assert b".entry" in process.communicate(timeout=60)[0]


@test
def other_standard_streams(at):
    """Without standard error or input all is done as with them; nothing that is said lands in a file of results."""
    fill(at)
    args = ["run", "copy.gf", *RUN, "--out", "y=y.bin", "--out", "x=x.bin"]
    at.fails(2, *args, stderr=None, before=lambda: os.close(2))
    args = ["run", "copy.gf", *RUN[:-1], "--out", "y=y.bin", "--time", "--explain"]
    for streams in ((2,), (0,), (0, 2), (0, 1, 2)):
        status, _, _ = at.run(*args, stdin=None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              before=lambda gone=streams: [os.close(stream) for stream in gone])
        same((status in (0, 4), os.path.getsize(at.path("y.bin"))), (True, 20000))
        assert status == 0 or 1 in streams, (status, streams)
    with open("/dev/full", "wb") as full:
        same(at.run(*args, stderr=full)[0], 0)
    at.fails(4, "check", "-", stdin=None, before=lambda: os.close(0))


if __name__ == "__main__":
    sys.exit(main())
