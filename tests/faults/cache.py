#!/usr/bin/python3
"""The cache of compiled kernels in every bad state. It is a help and never a condition: results are right, the status is
0, nothing is said, and nothing that is not the cache's own is touched. cache.py [--bin PATH] [WORD...]"""
import os
import random
import resource
import shutil
import sys
import threading
import time

from harness import NOBODY, Skip, main, same, test

PROGRAM = "program kept;\nparam u32 n;\nin u32 x[n];\nout u32 y[n];\n" \
          "kernel (n) { y[gid.x] = x[gid.x] + 15; }\n"
RUN = ["run", "kept.gf", "--set", "n=6", "--in", "x=iota", "--out", "y=-", "--device", "cpu", "--threads", "2", "--quiet"]
RIGHT = "y: 15 16 17 18 19 20\n"


def begin(at):
    at.write("kept.gf", PROGRAM)
    if not at.has_compiler():
        raise Skip("built without LLVM")


def runs_well(at, **more):
    status, out, err = at.run(*RUN, **more)
    same((status, out, err), (0, RIGHT, ""))


def entries(at):
    if not os.path.isdir(at.cache):
        return []
    return [os.path.join(at.cache, name) for name in os.listdir(at.cache)
            if os.path.isfile(os.path.join(at.cache, name)) and not name.startswith(".")]


@test
def folders_in_every_state(at):
    begin(at)
    runs_well(at, environment={"GRIDFENCE_CACHE": at.path("a/b/c/d")})
    runs_well(at, environment={"GRIDFENCE_CACHE": "/proc/nothing/here"})
    runs_well(at, environment={"GRIDFENCE_CACHE": "/dev/null"})
    runs_well(at, environment={"GRIDFENCE_CACHE": ""})
    runs_well(at, environment={"GRIDFENCE_CACHE": "x" * 5000})
    runs_well(at, environment={"GRIDFENCE_CACHE": "relative/cache"})
    at.write("file", "not a folder")
    runs_well(at, environment={"GRIDFENCE_CACHE": at.path("file")})
    runs_well(at, environment={"GRIDFENCE_CACHE": at.path("file/below")})
    same(at.read("file"), b"not a folder")
    os.symlink("nowhere", at.path("dangling"))
    os.symlink("round", at.path("round"))
    runs_well(at, environment={"GRIDFENCE_CACHE": at.path("dangling")})
    runs_well(at, environment={"GRIDFENCE_CACHE": at.path("round")})
    for mode in (0o555, 0o000, 0o333, 0o777, 0o770):
        folder = at.path(f"mode{mode:o}")
        os.mkdir(folder)
        at.own(folder)
        os.chmod(folder, mode)
        runs_well(at, environment={"GRIDFENCE_CACHE": folder})
        runs_well(at, environment={"GRIDFENCE_CACHE": folder})
        if mode & 0o022:
            same(os.listdir(folder), [])  # where others may write, nothing is kept
    os.mkdir(at.path("roots"))  # another user's, where this script runs as root
    os.chmod(at.path("roots"), 0o777 if os.geteuid() == 0 else 0o555)
    runs_well(at, environment={"GRIDFENCE_CACHE": at.path("roots")})
    same(os.listdir(at.path("roots")), [])
    for more in ({"GRIDFENCE_CACHE": "", "HOME": "/nonexistent", "XDG_CACHE_HOME": ""},
                 {"GRIDFENCE_CACHE": "", "HOME": "", "XDG_CACHE_HOME": "relative"}):
        runs_well(at, environment=more)


@test
def a_link_to_a_folder(at):
    begin(at)
    os.mkdir(at.path("real"))
    at.own(at.path("real"))
    os.chmod(at.path("real"), 0o700)
    os.symlink("real", at.path("link"))
    for _ in range(2):
        runs_well(at, environment={"GRIDFENCE_CACHE": at.path("link")})
    assert os.path.islink(at.path("link"))


@test
def damaged_entries(at):
    begin(at)
    generator = random.Random(1)
    runs_well(at)
    whole = {path: open(path, "rb").read() for path in entries(at)}
    assert whole, "nothing is kept"
    wrongs = [lambda data: b"", lambda data: data[:1], lambda data: data[:len(data) // 2], lambda data: data[:-1],
              lambda data: data + b"\0", lambda data: b"\0" * len(data), lambda data: b"\xff" * 100,
              lambda data: data[::-1], lambda data: generator.randbytes(len(data))]
    for _ in range(6):
        place = generator.randrange(1 << 20)
        wrongs.append(lambda data, place=place: data[:place % len(data)] + bytes([data[place % len(data)] ^ 0x10]) +
                      data[place % len(data) + 1:])
    for wrong in wrongs:
        for path, data in whole.items():
            with open(path, "wb") as file:
                file.write(wrong(data))
        runs_well(at)
    # One entry's content under the name of another, other things in place of files, files that nobody may read.
    at.write("kept.gf", PROGRAM.replace("program kept", "program other"))
    runs_well(at)
    at.write("kept.gf", PROGRAM)
    names = entries(at)
    for path in names:
        with open(path, "wb") as file:
            file.write(whole[sorted(whole)[-1]])
    runs_well(at)
    for change in (lambda path: os.mkdir(path), lambda path: os.symlink("/etc/passwd", path),
                   lambda path: os.symlink("nowhere", path), os.mkfifo,
                   lambda path: os.close(os.open(path, os.O_CREAT, 0))):
        for path in names:
            if os.path.isdir(path) and not os.path.islink(path):
                os.rmdir(path)
            elif os.path.lexists(path):
                os.remove(path)
            change(path)
            at.own(path)
        runs_well(at)
        runs_well(at)


@test
def limits_and_full_disks(at):
    begin(at)
    for limit in ("0", "1", "4096", "-1", "many", "99999999999999999999999"):
        for _ in range(2):
            at_limit = at.run(*RUN, environment={"GRIDFENCE_CACHE_LIMIT": limit})
            same(at_limit[:2], (0, RIGHT))
        if limit in ("0", "1"):
            same(entries(at), [])
    shutil.rmtree(at.cache, ignore_errors=True)
    for size in (0, 1, 100, 4096):
        runs_well(at, before=lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        same(entries(at), [])


@test
def clocks_that_went_wrong(at):
    """Entries and forgotten temporary files from the far future and the far past."""
    begin(at)
    runs_well(at)
    for moment in (0, time.time() + 10 * 365 * 86400, 2 ** 33, -10 ** 9):
        for path in entries(at):
            os.utime(path, (moment, moment))
            stale = path + ".1.2.3.tmp"
            with open(stale, "wb") as file:
                file.write(b"half")
            at.own(stale)
            os.utime(stale, (moment, moment))
        os.utime(at.cache, (moment, moment))
        runs_well(at)
        at.write("kept.gf", PROGRAM.replace("program kept", f"program p{abs(int(moment))}"))
        runs_well(at, environment={"GRIDFENCE_CACHE_LIMIT": "20000"})
        at.write("kept.gf", PROGRAM)


@test
def eight_at_once(at):
    """Eight processes fill, read and shrink one cache, while its entries are damaged and taken away."""
    begin(at)
    names = []
    for i in range(4):
        names.append(f"k{i}.gf")
        at.write(names[-1], PROGRAM.replace("program kept", f"program k{i}"))
    over = threading.Event()

    def damage():
        generator = random.Random(2)
        while not over.is_set():
            try:
                path = generator.choice(entries(at) or [at.cache])
                if generator.random() < 0.5:
                    os.remove(path)
                else:
                    with open(path, "r+b") as file:
                        file.seek(generator.randrange(4000))
                        file.write(b"wrong")
            except OSError:
                pass
            time.sleep(0.002)

    for limit, wrecked in (("100000000", False), ("12000", False), ("100000000", True)):
        shutil.rmtree(at.cache, ignore_errors=True)
        over.clear()
        thread = threading.Thread(target=damage)
        if wrecked:
            os.mkdir(at.cache, 0o700)
            if os.geteuid() == 0:
                os.chown(at.cache, NOBODY, NOBODY)
            thread.start()
        for _ in range(2 if wrecked else 1):
            processes = [at.start("run", names[i % 4], *RUN[2:], environment={"GRIDFENCE_CACHE_LIMIT": limit})
                         for i in range(8)]
            for process in processes:
                out, err = process.communicate(timeout=120)
                same((process.returncode, out, err), (0, RIGHT.encode(), b""))
        over.set()
        if wrecked:
            thread.join()
        left = [name for name in os.listdir(at.cache) if name.endswith(".tmp") or ".part" in name]
        same(left, [])


if __name__ == "__main__":
    sys.exit(main())
