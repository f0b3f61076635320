#!/usr/bin/python3
"""How a fixpoint knows that it is done: by its own writes, or by comparing with a copy.

convergence.py [--gridfence PATH] [--scale N] [--rounds N]

Runs reachability by sweeps on an R-MAT graph in two forms of one program. In the first all writes to the watched buffer
are atomic_min, so that the CPU device tracks them; in the second there is one more write, which never happens, so that
each pass is compared with a copy of what it found. Prints one JSON object: medians of both, their ratio, the passes.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

PROGRAM = """program sweep;
param u32 n;
in u32 row[n + 1];
in u32 col[];
inout u32 dist[n];
kernel (n) fixpoint(n) on (dist) {
    let v = gid.x;
    let d = atomic_load(dist[v]);
    if d != 0xffffffff {
        for e in row[v] .. row[v + 1] {
            if atomic_load(dist[col[e]]) > d + 1 { atomic_min(dist[col[e]], d + 1); }
        }
    }
%s}
"""
NEVER = "    if n == 0xffffffff { atomic_store(dist[v], n - v); }\n"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser()
    parser.add_argument("--gridfence", default=os.path.join(here, "..", "build", "gridfence"))
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        graph = os.path.join(folder, "graph.txt")
        with open(graph, "w", encoding="ascii") as file:
            subprocess.run([options.gridfence, "rmat", str(options.scale), "16", "1"], stdout=file, check=True)
        start = os.path.join(folder, "dist.bin")
        with open(start, "wb") as file:
            file.write(b"\0" * 4 + b"\xff" * (4 * ((1 << options.scale) - 1)))
        seconds = {"tracked": [], "compared": []}
        passes = {}
        for _ in range(options.rounds):
            for name, never in (("tracked", ""), ("compared", NEVER)):
                path = os.path.join(folder, name + ".gf")
                with open(path, "w", encoding="ascii") as file:
                    file.write(PROGRAM % never)
                done = subprocess.run([options.gridfence, "run", path, "--csr", f"row,col,n={graph}", "--in", f"dist={start}", "--device", "cpu", "--repeat",
                                       "3", "--json"], capture_output=True, check=True)
                told = json.loads(done.stdout)
                seconds[name].append(told["seconds"]["device"])
                passes[name] = told["passes"]
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    print(json.dumps({"scale": options.scale, "seconds": medians, "ratio": medians["tracked"] / medians["compared"],
                      "passes": passes}))


if __name__ == "__main__":
    sys.exit(main())
