#!/usr/bin/python3
"""Records what the interpreter gives, for machines that have a GPU and nothing else.

record.py [--build FOLDER] [--quick] OUT

Writes into OUT the programs, their inputs, and cases.txt, which gridfence-cases carries out there (case.h says what is
in it). Paths in it are relative to OUT. The cases are

- golden/  the golden programs (tests/runner/golden.py) with what their lines ask for: as they are, with barriers kept,
           and checked. Outputs that are compared are all of those of programs that are order-free, else those named;
- programs/  programs/*.gf on graphs, matrices and numbers of several shapes and sizes;
- random/  programs of tests/fuzz/generate, at several sizes;
- together/  a program of many grid barriers, for several processes at once.

--quick: a few of each.
"""
import argparse
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "runner"))
import golden  # noqa: E402

INF = 0xFFFFFFFF


class Recorder:
    def __init__(self, build, out, quick):
        self.gridfence = os.path.join(build, "gridfence")
        self.cases = os.path.join(build, "tests", "gridfence-cases")
        self.differential = os.path.join(build, "tests", "differential")
        self.out, self.quick, self.lines, self.names = out, quick, [], set()

    def add(self, name, args, strategies=None, loose=(), tells=()):
        if name in self.names:
            sys.exit(f"record.py: two cases are called {name}")
        self.names.add(name)
        self.lines.append(f"case {name}")
        self.lines += [f"arg {arg}" for arg in ("run", *args)]
        if strategies:
            self.lines.append(f"strategies {strategies}")
        if loose:
            self.lines.append("loose " + " ".join(loose))
        self.lines += [f"tells {text}" for text in tells]

    def ask(self, *args):
        done = subprocess.run([self.gridfence, *args], capture_output=True, text=True, cwd=self.out, check=False)
        return done.returncode, done.stdout

    def is_order_free(self, path):
        status, text = self.ask("check", "--json", path)
        return status == 0 and json.loads(text)["order_free"]

    def is_right(self, path):
        return self.ask("check", "--quiet", path)[0] == 0

    def place(self, path, text):
        """A file below the folder; gives its path there."""
        whole = os.path.join(self.out, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def finish(self, jobs):
        """Runs all of it."""
        with open(os.path.join(self.out, "list.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")
        parts = [f"cases.{i}.txt" for i in range(jobs)]
        running = [subprocess.Popen([self.cases, "list.txt", "--record", part, "--shard", f"{i}/{jobs}"], cwd=self.out,
                                    stdout=subprocess.PIPE, text=True) for i, part in enumerate(parts)]
        count = 0
        for child in running:
            last = child.communicate()[0].strip().split("\n")[-1]
            found = re.fullmatch(r"(\d+) passed, 0 failed, 0 skipped", last)
            if child.returncode != 0 or not found:
                sys.exit(f"record.py: recording failed: {last}")
            count += int(found.group(1))
        with open(os.path.join(self.out, "cases.txt"), "wb") as out:
            for part in parts:
                with open(os.path.join(self.out, part), "rb") as file:
                    shutil.copyfileobj(file, out)
                os.remove(os.path.join(self.out, part))
        os.remove(os.path.join(self.out, "list.txt"))
        if count != len(self.names):
            sys.exit(f"record.py: {count} of {len(self.names)} cases were recorded")
        return count


def written_buffers(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.findall(r"^\s*(?:out|inout)\s+\w+\s+(\w+)\s*\[", text, re.M)


def outs(names):
    return [word for name in names for word in ("--out", f"{name}=-")]


# ---- golden programs ----

def golden_paths():
    yield from (os.path.join(ROOT, folder) for folder in ("tests/golden/run", "tests/conform", "programs"))
    yield os.path.join(ROOT, "README.md")
    yield from (os.path.join(ROOT, "doc", name) for name in sorted(os.listdir(os.path.join(ROOT, "doc")))
                if name.endswith(".md"))


def add_golden_case(recorder, path, free, text, case, name):
    args = case.args()
    if "--check-races" in args:
        return
    named = [re.split(r"\s*:\s*", rest, maxsplit=1)[0] for rest in case.all("out")]
    certain = free and case.one("races") != "yes"
    given = " ".join(args)
    wanted = [b for b in written_buffers(text) if certain or b in named]
    words = [path, *args, *outs(b for b in wanted if f"--out {b}=" not in given)]
    loose = [] if certain else [word for word in ("passes", "converged") if case.one(word) is None]
    strategies = case.one("only") or case.one("strategies")
    recorder.add(name, words, strategies, loose, case.all("stderr"))
    if "--keep-barriers" not in args:
        recorder.add(f"{name} +kept", [*words, "--keep-barriers"], strategies, loose, case.all("stderr"))
    if "--checked" not in args and int(case.one("status") or 0) == 0:
        recorder.add(f"{name} +checked", [*words, "--checked"], strategies, loose)


def add_golden(recorder):
    scratch = os.path.join(recorder.out, "blocks")
    os.makedirs(scratch, exist_ok=True)
    for number, (place, _, text, must_run) in enumerate(golden.collect(list(golden_paths()), scratch)):
        if recorder.quick and number % 8 != 0:
            continue
        cases, _ = golden.read_cases(text, place)
        path = recorder.place(place if place.endswith(".gf") else "blocks/" + re.sub(r"\W", "_", place) + ".gf", text)
        if not recorder.is_right(path) or not (must_run or any(case.lines for case in cases)):
            continue
        free = recorder.is_order_free(path)
        for index, case in enumerate(cases):
            label = case.name or str(index)
            if sum((other.name or str(k)) == label for k, other in enumerate(cases)) > 1:
                label += f" {index}"
            add_golden_case(recorder, path, free, text, case, f"golden/{place} {label}")
    for name in os.listdir(scratch):
        if name.endswith(".block.gf"):
            os.remove(os.path.join(scratch, name))


# ---- programs/ ----

class Graph:
    """An edge list with weights in inputs/."""

    def __init__(self, recorder, name, n, edges, seed):
        draw = random.Random(seed)
        self.name, self.n = name, n
        # The last vertex has an edge of its own, so that files say how many there are.
        self.edges = [*edges, (n - 1, n - 1)]
        lines = [f"{a} {b} {draw.randint(1, 255)}" for a, b in self.edges]
        self.file = recorder.place(f"inputs/{name}.txt", "\n".join(lines) + "\n")
        degree = [0] * n
        for a, _ in self.edges:
            degree[a] += 1
        self.hubs = sorted(range(n), key=lambda v: -degree[v])[:31]
        self.m = len(self.edges)

    def words(self, recorder, name, values):
        """A buffer of u32 as a file of its own."""
        return recorder.place(f"inputs/{self.name}-{name}.bin", struct.pack(f"<{len(values)}I", *values))


def make_graphs(recorder):
    draw = random.Random(5)

    def rmat(scale, per, seed):
        text = recorder.ask("rmat", str(scale), str(per), str(seed))[1]
        return [tuple(int(word) for word in line.split()) for line in text.splitlines()]

    def layers(count, width):
        return [(i * width + a, (i + 1) * width + draw.randrange(width)) for i in range(count - 1)
                for a in range(width) for _ in range(3)]
    shapes = [("tiny", 5, [(0, 1), (1, 2), (2, 0), (3, 3), (0, 1)]),
              ("rmat8", 256, rmat(8, 8, 1)),
              ("chain", 600, layers(60, 10)),
              ("star", 3000, [(0, v) for v in range(1, 3000)] + [(v, 0) for v in range(1, 3000, 7)]),
              ("lonely", 2000, [(draw.randrange(2000), draw.randrange(2000)) for _ in range(150)]),
              ("rmat12", 4096, rmat(12, 8, 3)),
              ("rmat14", 16384, rmat(14, 6, 4))]
    if recorder.quick:
        shapes = shapes[:3]
    return [Graph(recorder, *shape, seed) for seed, shape in enumerate(shapes)]


def graph_runs(recorder, graph):
    """(program, label, arguments) of every program over graphs."""
    draw = random.Random(graph.n)
    file, n = graph.file, graph.n
    starts = [graph.hubs[0], n - 1] if n > 5 else [0]
    for source in starts:
        dist = graph.words(recorder, f"dist{source}", [0 if v == source else INF for v in range(n)])
        yield "reach", f"from {source}", ["--csr", f"row,col,n={file}", "--in", f"dist={dist}"]
        yield "levels", f"from {source}", ["--csr", f"row,col,n={file}", "--set", f"source={source}"]
        for alpha, beta in ((15, 18), (1, 1), (1000, 2)):
            for program in ("bfs", "bfs_lanes"):
                yield program, f"from {source} {alpha} {beta}", [
                    "--csr", f"row,col,n={file}", "--csr", f"in_row,in_col={file}", "--transpose", "--set",
                    f"source={source}", "--set", f"alpha={alpha}", "--set", f"beta={beta}"]
        for delta in (32, 1, 1000):
            yield "sssp", f"from {source} by {delta}", ["--csr", f"row,col,n,weight={file}", "--set",
                                                       f"source={source}", "--set", f"delta={delta}"]
    yield "components", "all", ["--csr", f"row,col,n={file}", "--symmetric"]
    for program in ("pagerank", "pagerank_tiles"):
        yield program, "all", ["--csr", f"row,col,n={file}", "--transpose", "--csr", f"out_row,-={file}"]
    yield "flows_to", "all", ["--csr", f"row,col,n={file}", "--transpose", "--in",
                              "target=" + ",".join(str(v) for v in graph.hubs)]
    yield "flows_to", "one", ["--csr", f"row,col,n={file}", "--transpose", "--in", f"target={starts[-1]}"]
    seed = [0] * n
    for rule, v in enumerate(graph.hubs):
        seed[v] |= 1 << rule
    kill = [draw.getrandbits(32) if draw.random() < 0.05 else 0 for _ in range(n)]
    for hops in (INF, 2):
        yield "taint", f"{hops} hops", [
            "--csr", f"row,col,n={file}", "--in", f"seed={graph.words(recorder, 'seed', seed)}", "--in",
            f"kill={graph.words(recorder, 'kill', kill)}", "--in", "pass=random:7", "--set", f"max_hops={hops}"]


def poisson(recorder, side):
    """The matrix of a square of side * side points as .mtx, each pair once."""
    n = side * side
    entries = [(i, i, 4) for i in range(1, n + 1)]
    entries += [(i + 1, i, -1) for i in range(1, n) if i % side != 0]
    entries += [(i + side, i, -1) for i in range(1, n - side + 1)]
    text = f"%%MatrixMarket matrix coordinate integer symmetric\n{n} {n} {len(entries)}\n"
    return recorder.place(f"inputs/poisson{side}.mtx", text + "".join(f"{a} {b} {v}\n" for a, b, v in entries))


def number_runs(recorder):
    def sets(**params):
        return [word for name, value in params.items() for word in ("--set", f"{name}={value}")]
    for n in (0, 1, 255, 1000, 4097, 70_001):
        yield "scan", f"{n}", [*sets(n=n), "--in", "x=random:3"]
        for order, source in (("random", "random:4"), ("few", "random:5:0:9"), ("rising", "iota")):
            for chunks, least in ((256, 4096), (3, 1), (300, 7)):
                yield "sort", f"{n} {order} {chunks} {least}", [*sets(n=n, chunks=chunks, least=least), "--in",
                                                               f"key={source}"]
            for groups in (512, 3):
                yield "sort_groups", f"{n} {order} {groups}", [*sets(n=n, groups=groups), "--in", f"key={source}"]
        for blocks in (256, 1, 3):
            yield "histogram", f"{n} by {blocks}", [*sets(n=n, blocks=blocks), "--in", "x=random:6"]
    for n in (1, 100, 3000):
        yield "smooth", f"{n}", [*sets(n=n), "--in", "x=random:8:0:100"]
    for w, h, turns, every in ((3, 3, 5, 1), (70, 50, 37, 10), (300, 9, 12, 1), (3, 40, 5, 3), (600, 3, 21, 21),
                               (257, 129, 20, 7), (512, 512, 6, 2)):
        yield "jacobi", f"{w} x {h}", [*sets(w=w, h=h, tol=0, max_iter=turns, every=every), "--in", "u=random:9",
                                       "--in", "f=random:10"]
    yield "jacobi", "to the end", [*sets(w=24, h=31, tol="1e-5"), "--in", "u=random:9", "--in", "f=random:10"]
    for n, dims, k, blocks in ((3000, 8, 6, 16), (500, 3, 2, 1), (2500, 3, 20, 1024), (1, 1, 1, 1)):
        yield "kmeans", f"{n} {dims} {k} {blocks}", [*sets(n=n, dims=dims, k=k, blocks=blocks, max_iter=25), "--in",
                                                    "x=random:11", "--in", "centre=random:12"]
    for side in (1, 7, 40, 90):
        yield "cg", f"poisson {side}", ["--csr", f"row,col,n,val={poisson(recorder, side)}", "--in", "b=random:13:-1:1",
                                        "--in", "x=random:14:-1:1"]


def add_programs(recorder):
    runs = [(program, f"{graph.name} {label}", args) for graph in make_graphs(recorder)
            for program, label, args in graph_runs(recorder, graph)]
    numbers = list(number_runs(recorder))
    runs += numbers[::9] if recorder.quick else numbers
    free, buffers = {}, {}
    for program, label, args in runs:
        path = f"programs/{program}.gf"
        if program not in free:
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                text = file.read()
            recorder.place(path, text)
            free[program], buffers[program] = recorder.is_order_free(path), written_buffers(text)
        # Results do not depend on order, whatever `check` can prove; the number of passes may.
        recorder.add(f"programs/{program} {label}", [path, *args, *outs(buffers[program])],
                     loose=() if free[program] else ("passes",))
    for ending in ("npy", "bin", "txt"):  # results in files
        recorder.add(f"programs/scan into .{ending}", ["programs/scan.gf", "--set", "n=5000", "--in", "x=random:3",
                                                      "--out", f"y=@/y.{ending}", "--out", "total=-"])


# ---- random programs ----

def add_random(recorder, count, seed):
    folder = os.path.join(recorder.out, "random")
    os.makedirs(folder, exist_ok=True)
    subprocess.run([recorder.differential, "--write", folder, "--plain", "--count", str(count), "--seed", str(seed)],
                   check=True)
    for s in range(seed, seed + count):
        path = f"random/{s}.gf"
        with open(os.path.join(recorder.out, path), encoding="utf-8") as file:
            text = file.read()
        given = re.match(r"//! args (.*)\n", text).group(1).split()
        written = outs(written_buffers(text))
        own = next(word for word in given if word.startswith("n="))
        sizes = [own] + [size for size in ("n=66", "n=300") if size != own]
        for size in sizes:
            args = [path, *(size if word == own else word for word in given), *written]
            recorder.add(f"random/{s} {size}", args)
            if size == "n=66":
                option = ("--keep-barriers", "--keep-empty", "--checked")[s % 3]
                recorder.add(f"random/{s} {size} {option[2:]}", [*args, option])


def add_together(recorder):
    with open(os.path.join(ROOT, "tests", "gpu", "together.gf"), encoding="utf-8") as file:
        path = recorder.place("programs/together.gf", file.read())
    # As many workgroups as an H200 can hold of 256 invocations; of 1024; and few.
    for n, group, turns in ((1056 * 256, 256, 8), (264 * 1024, 1024, 8), (132 * 256, 256, 60), (4096, 64, 300)):
        recorder.add(f"together/{n // group} x {group}", [path, "--set", f"n={n}", "--set", f"turns={turns}",
                                                         "--workgroup", str(group), "--in", "x=random:5",
                                                         *outs(["x", "sum"])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--random", type=int, help="how many random programs (300)")
    parser.add_argument("--seed", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("out")
    options = parser.parse_args()
    out = os.path.abspath(options.out)
    os.makedirs(out, exist_ok=True)
    recorder = Recorder(os.path.abspath(options.build), out, options.quick)
    add_golden(recorder)
    add_programs(recorder)
    add_random(recorder, options.random or (6 if options.quick else 300), options.seed)
    if not options.quick:
        add_together(recorder)
    print(f"{recorder.finish(options.jobs)} cases recorded in {shlex.quote(options.out)}")


if __name__ == "__main__":
    main()
