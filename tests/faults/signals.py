#!/usr/bin/python3
"""Signals in the middle of everything: while a program is read, compiled, run, while results are written. The command
ends soon, with the signal's status or having done all, and leaves whole files only: new ones, or the old ones.
signals.py [--bin PATH] [WORD...]; FAULTS_ROUNDS=1000 for more of it, FAULTS_SEED for other moments."""
import os
import random
import signal
import subprocess
import sys
import time

from harness import Skip, main, same, test

ROUNDS = int(os.environ.get("FAULTS_ROUNDS", "12"))
SEED = int(os.environ.get("FAULTS_SEED", "1"))
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A run is asked to stop and has two seconds; the rest is for machines that are busy.
SOON = 10

COPY = "program copies;\nparam u32 n;\nin u32 x[n];\nout u32 y[n];\nkernel (n) { y[gid.x] = x[gid.x] * 3; }\n"
FOREVER = "program forever;\nout u32 y[1];\nkernel (1) workgroup(1) { var u32 i = 0; while i < 1 { y[0] += 1; } }\n"
PASSES = "program passes;\nparam u32 n;\ninout u32 a[n];\n" \
         "kernel (n) fixpoint(4000000000) on (a) { a[gid.x] += 1; grid_barrier; a[n - 1 - gid.x] += 1; }\n"


def statements(count):
    return "".join(f"    y[gid.x] += x[(gid.x + {i}) % n] * {i + 1};\n" for i in range(count))


def long_program(count):
    return "program long;\nparam u32 n;\nin u32 x[n];\nout u32 y[n];\nkernel (n) {\n" + statements(count) + "}\n"


def expect_end(at, process, number, begin):
    """Its status; what it has done by then is for the caller to look at."""
    try:
        out, err = process.communicate(timeout=SOON)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"{signal.Signals(number).name}: still there after {SOON} s: {err[-500:]}") from None
    # Before the command has set its handlers the signal ends it as any process.
    assert process.returncode in (0, 128 + number, -number), (process.returncode, number, err[-2000:],
                                                             time.monotonic() - begin)
    return process.returncode, out


def expect_no_litter(at, known):
    names = set(os.listdir(at.work))
    same(names - known, set())
    if os.path.isdir(at.cache):
        same([name for name in os.listdir(at.cache) if name.endswith(".tmp")], [])


def interrupt_at_random(at, args, outputs, longest):
    """`outputs`: each file with its whole content; before each round it holds other bytes."""
    generator = random.Random(f"{SEED} {args}")
    known = set(os.listdir(at.work)) | set(outputs)
    for i in range(ROUNDS):
        for name in outputs:
            at.write(name, "old")
        number = ENDING[i % 3]
        begin = time.monotonic()
        process = at.start(*args)
        time.sleep(longest * generator.random())
        process.send_signal(number)
        status, _ = expect_end(at, process, number, begin)
        for name, whole in outputs.items():
            found = at.read(name)
            assert found in (whole, b"old"), f"{name}: {len(found)} bytes after {args}"
            assert found == whole or status != 0, f"{name} is old, and the status 0"
        expect_no_litter(at, known)


def measure(at, args, outputs):
    """How long it takes undisturbed, and what it makes."""
    begin = time.monotonic()
    at.good(*args)
    return time.monotonic() - begin, {name: at.read(name) for name in outputs}


@test
def while_it_reads_and_plans(at):
    at.write("long.gf", long_program(3000))
    args = ["plan", "long.gf", "--svg", "p.svg"]
    longest, whole = measure(at, args, ["p.svg"])
    interrupt_at_random(at, args, whole, longest)


@test
def while_it_compiles(at):
    at.write("long.gf", long_program(100))
    for device in ("cpu", "interp"):
        args = ["run", "long.gf", "--set", "n=4", "--in", "x=iota", "--device", device, "--no-cache", "--quiet", "--out",
                "y=y.npy"]
        if device == "cpu" and not at.has_compiler():
            continue
        longest, whole = measure(at, args, ["y.npy"])
        interrupt_at_random(at, args, whole, longest)


@test
def while_it_keeps_kernels(at):
    """The cache holds whole entries only; the next run is right."""
    if not at.has_compiler():
        raise Skip("built without LLVM")
    generator = random.Random(SEED)
    for i in range(ROUNDS):
        at.write("short.gf", COPY.replace("program copies", f"program p{i}"))
        args = ["run", "short.gf", "--set", "n=4", "--in", "x=iota", "--device", "cpu", "--quiet", "--out", "y=-"]
        process = at.start(*args)
        time.sleep(0.3 * generator.random())
        process.send_signal(ENDING[i % 3])
        expect_end(at, process, ENDING[i % 3], time.monotonic())
        expect_no_litter(at, {"short.gf"})
        same(at.good(*args), "y: 0 3 6 9\n")


@test
def while_it_writes(at):
    at.write("copy.gf", COPY)
    for name in ("y.txt", "y.npy"):
        args = ["run", "copy.gf", "--set", "n=700000", "--in", "x=iota", "--device", "interp", "--quiet", "--out",
                f"y={name}"]
        longest, whole = measure(at, args, [name])
        interrupt_at_random(at, args, whole, longest)
    args = ["run", "copy.gf", "--set", "n=3000", "--in", "x=iota", "--device", "interp", "--quiet", "--out", "y=y.bin",
            "--trace", "t.json"]
    at.write("t.json", "old")
    longest, whole = measure(at, args, ["y.bin"])
    interrupt_at_random(at, args, whole, longest)
    assert at.read("t.json").endswith(b"}\n")


@test
def while_it_runs(at):
    """Runs that would not end: on every device and by every strategy that it has here."""
    at.write("forever.gf", FOREVER)
    at.write("passes.gf", PASSES)
    at.write("y.npy", "old")
    at.write("a.npy", "old")
    known = set(os.listdir(at.work))
    generator = random.Random(SEED)
    count = 0
    for device in ("interp", "cpu") if at.has_compiler() else ("interp",):
        for strategy in ("native", "persistent", "resident", "host"):
            for args in (["forever.gf", "--out", "y=y.npy"],
                         ["passes.gf", "--set", "n=64", "--in", "a=iota", "--out", "a=a.npy"]):
                if (device, strategy) == ("interp", "persistent"):
                    continue
                number = ENDING[count % 3]
                count += 1
                process = at.start("run", *args, "--device", device, "--strategy", strategy, "--quiet")
                time.sleep(0.15 + 0.3 * generator.random())
                process.send_signal(number)
                status, out = expect_end(at, process, number, time.monotonic())
                assert status in (128 + number, -number), (status, args, device, strategy)
                same((out, at.read("y.npy"), at.read("a.npy")), (b"", b"old", b"old"))
                expect_no_litter(at, known)


@test
def twice_and_ignored(at):
    """A second signal does not wait for the run; one that was ignored at the start (nohup) stays so."""
    at.write("forever.gf", FOREVER)
    args = ["run", "forever.gf", "--device", "interp", "--quiet", "--out", "y=-"]
    process = at.start(*args)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=SOON) in (128 + 15, 128 + 2)
    process.communicate()
    process = at.start(*args, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.3)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    same(process.poll(), None)
    process.send_signal(signal.SIGTERM)
    same(expect_end(at, process, signal.SIGTERM, time.monotonic())[0], 128 + 15)


@test
def stopped_and_continued(at):
    """Stopping, continuing and a window that changes its size interrupt calls of the system, and nothing else."""
    at.write("copy.gf", COPY)
    args = ["run", "copy.gf", "--set", "n=300000", "--in", "x=iota", "--device", "interp", "--quiet", "--out", "y=y.txt"]
    longest, whole = measure(at, args, ["y.txt"])
    generator = random.Random(SEED)
    for _ in range(3):
        process = at.start(*args)
        for _ in range(10):
            time.sleep(longest / 10 * generator.random())
            if process.poll() is None:
                process.send_signal(signal.SIGSTOP)
                process.send_signal(signal.SIGWINCH)
                process.send_signal(signal.SIGCONT)
        same((process.communicate()[1], process.returncode), (b"", 0))
        same(at.read("y.txt"), whole["y.txt"])


if __name__ == "__main__":
    sys.exit(main())
