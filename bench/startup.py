#!/usr/bin/env python3
"""How long the command takes from its start to the end of a small run: cold, with an empty cache of kernels, and warm,
with the compiled kernel in it.

    bench/startup.py [--command build/gridfence] [--rounds N] [PROGRAM...]

Prints JSON: per program (`reach` where none is named, run with the first `args` of its header) milliseconds of wall time
and of processor time, start of the process included, minima and medians of N runs. `version` is the start alone:
`gridfence --version`. On a machine that does other things as well the minima say more.
"""
import argparse
import json
import os
import shlex
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def arguments_of(path):
    """The first case of the header: its `args`, and its `out` lines as outputs to print."""
    words = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("//! args "):
                words += shlex.split(line[len("//! args "):])
            elif line.startswith("//! out "):
                words += ["--out", line[len("//! out "):].split(":")[0] + "=-"]
            elif not line.startswith("//!") or line.startswith("//! case "):
                break
    return words


def run_once(words, env):
    """Wall and processor time of one process, in milliseconds, and what it printed."""
    read, write = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(words[0], words, env, file_actions=actions)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{shlex.join(words)}: status {os.waitstatus_to_exitcode(status)}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, text


def summary(samples):
    wall, processor = zip(*samples)
    return {"wall_min": round(min(wall), 3), "wall_median": round(statistics.median(wall), 3),
            "processor_min": round(min(processor), 3), "processor_median": round(statistics.median(processor), 3)}


def measure(words, rounds, env, before=None):
    samples, texts = [], set()
    for _ in range(rounds):
        if before is not None:
            before()
        wall, processor, text = run_once(words, env)
        samples.append((wall, processor))
        texts.add(text)
    if len(texts) != 1:
        sys.exit(f"{shlex.join(words)}: not the same output each time")
    return summary(samples), texts.pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "gridfence"))
    parser.add_argument("--rounds", type=int, default=50, help="warm runs; a third as many cold ones")
    parser.add_argument("--threads", help="as of `gridfence run`")
    parser.add_argument("programs", nargs="*", default=["reach"])
    options = parser.parse_args()
    command = os.path.abspath(options.command)
    more = [] if options.threads is None else ["--threads", options.threads]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "GRIDFENCE_CACHE": folder}

        def empty():
            for name in os.listdir(folder):
                os.unlink(os.path.join(folder, name))

        result = {"version": measure([command, "--version"], options.rounds, env)[0], "programs": {}}
        for name in options.programs:
            path = os.path.join(ROOT, "programs", f"{name}.gf")
            words = [command, "run", path, "--device", "cpu", *arguments_of(path), *more]
            cold, first = measure(words, max(options.rounds // 3, 1), env, empty)
            warm, second = measure(words, options.rounds, env)
            if first != second:
                sys.exit(f"{name}: the cached kernel gives another result")
            result["programs"][name] = {"cold": cold, "warm": warm}
    print(json.dumps(result, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
