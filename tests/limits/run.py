#!/usr/bin/env python3
"""Gives the command programs that are large in one way each, and holds it to time and memory.

    run.py [--size BYTES] [--all] [NAME...]

Every shape of shapes.py is planned (which checks it first); each way on from there is taken by a fifth of them, with
--all by all of them. The time is that of the processor, and the limit far above what is needed: it tells a pass whose
work grows with the square of the text, not a slow machine."""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("GRIDFENCE", os.path.join(ROOT, "build", "gridfence"))
INPUTS = ["--timeout", "2", "--memory-limit", "100000000"]
#       name    arguments                                 seconds  statuses
WAYS = [("plan", ["plan"], 6, (0, 1, 3)),
        ("fmt", ["fmt"], 6, (0, 1)),
        ("ptx", ["emit", "--target", "ptx"], 15, (0, 1, 3)),
        ("interp", ["run", "--device", "interp", *INPUTS], 15, (0, 1, 2, 3, 6, 7)),
        ("cpu", ["run", "--device", "cpu", "--no-cache", *INPUTS], 40, (0, 1, 2, 3, 6, 7))]
MEMORY = 1 << 30


def limit(seconds):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_limits


def go(path, way, inputs):
    name, arguments, seconds, statuses = way
    more = [x for i in inputs for x in ("--in", i)] if arguments[0] == "run" else []
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen([COMMAND, arguments[0], path, *arguments[1:], *more], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=messages, preexec_fn=limit(seconds))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        first = messages.readline().decode("utf-8", "replace").strip()
    time, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    said = f"{time:.2f} s, {memory >> 20} MiB, status {process.returncode}"
    if process.returncode < 0 or time > seconds:
        return f"ended by signal {-process.returncode} after {said}"
    if process.returncode not in statuses:
        return f"{said}: {first[:200]}"
    return f"more than {MEMORY >> 20} MiB: {said}" if memory > MEMORY else None


def inputs_of(text):
    """What to bind: each `inout` and `in` buffer of the text, where these are few."""
    names = [line.split()[2].split("[")[0] for line in text.splitlines() if line.startswith(("inout ", "in "))]
    return [f"{name}=iota" for name in names] if len(names) < 20 else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=400000)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    tasks = []
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(options.names or shapes.SHAPES):
            path = os.path.join(folder, name + ".gf")
            text = shapes.SHAPES[name](options.size)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for place, way in enumerate(WAYS):
                if place == 0 or options.all or options.names or number % 5 == place:
                    tasks.append((name, path, way, inputs_of(text)))
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda task: go(*task[1:]), tasks))
    failed = 0
    for (name, _, way, _), wrong in zip(tasks, results):
        if wrong is not None:
            failed += 1
            print(f"FAIL {way[0]} of {name} with {options.size} bytes: {wrong}")
    print(f"{len(tasks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
