#!/usr/bin/env python3
"""Programs that go on for ever, each in its own way, end by --timeout on every device: with status 7, or refused as too
large with 3, and soon. `soon` is generous: what is tested is that they end."""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("GRIDFENCE", os.path.join(ROOT, "build", "gridfence"))
SOON = 60
HEAD = "program p; out u32 o[4]; "
LAST = "0xffffffffffffffff"
PROGRAMS = {
    "loop": HEAD + "kernel (4) { loop { o[gid.x] += 1; } }",
    "while": HEAD + "kernel (4) { while true { o[gid.x] = 1; } }",
    "function": HEAD + "fn u32 f(u32 x) { var u32 y = x; while true { y += 1; } return y; } "
                       "kernel (4) { o[gid.x] = f(1); }",
    "grid_loop": HEAD + "kernel (4) { loop { o[gid.x] += 1; grid_barrier; o[gid.x + 1] = o[0]; } }",
    "grid_while_of_scalars": HEAD + "kernel (4) { var u32 d = 0; while d < 5 { d += 0; grid_barrier; } o[gid.x] = d; }",
    "grid_while_of_a_load": HEAD + "kernel (4) { while grid_load(o[0]) == 0 { o[gid.x + 1] = 1; } }",
    "scalar_for": HEAD + f"param u64 n = {LAST}; kernel (4) {{ var u64 d = 0; for i in 0 .. n {{ d += i ^ d; }} "
                         "o[gid.x] = u32(d); grid_barrier; o[gid.x + 1] += u32(d); }",
    "scalar_nest": HEAD + "kernel (4) { var u32 d = 0; for i in 0 .. 4000000000 { for k in 0 .. 4000000000 { d += 1; } "
                          "} o[gid.x] = d; grid_barrier; o[gid.x + 1] = d; }",
    "one_for": HEAD + "kernel (4) { for a in 0 .. 4294967295 { o[gid.x] += a; } }",
    "nest": HEAD + "kernel (4) { for a in 0 .. 4000000000 { for b in 0 .. 4000000000 { if o[0] == 7 { o[gid.x] = b; } "
                   "} } }",
    "group_for": HEAD + f"shared u32 s[4]; kernel groups(1) workgroup(4) {{ for i in u64(0) .. {LAST} {{ "
                        "s[lid.x] += 1; barrier; o[lid.x] = s[3 - lid.x]; barrier; } }",
    "empty_for": HEAD + f"kernel (4) {{ for i in u64(0) .. {LAST} {{ }} o[0] = 1; }}",
    "wide_forall": HEAD + "kernel { forall i in u64(0) .. 0x10000000000 { atomic_add(o[i % 4], 1); } }",
    "wide_sum": HEAD + "kernel { var f64 s = 0.0; forall i in u64(0) .. 0x10000000000 reduce(add s) { s += 1.5; } "
                       "o[0] = u32(s); }",
    "fixpoint": HEAD + f"kernel (4) fixpoint({LAST}) on (o) {{ o[gid.x] += 1; }}",
    "copies": "program p; param u64 n = 0x7fffffffffffffff; out u8 o[4000000]; in u8 q[4000000]; kernel (4) { loop { "
              "copy_async(o, 0, q, 0, n, \"t\"); wait(\"t\"); copy_async(o, n, q, 3, n + n, \"u\"); wait(\"u\"); } }",
    "wide_kernel": HEAD + "kernel (4294967295, 4294967295) { o[gid.x] += gid.y; }",
}


def go(task):
    name, device, strategy, path = task
    more = ["--in", "q=fill:1"] if name == "copies" else []
    environment = dict(os.environ, FAKE_CUDA_RUN="1",
                       GRIDFENCE_CUDA_LIBRARY=os.path.join(ROOT, "build/tests/fake_cuda/libcuda.so.1"))
    command = [COMMAND, "run", path, "--device", device, "--strategy", strategy, "--no-cache", "--timeout", "0.15", *more]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=SOON, check=False)
    except subprocess.TimeoutExpired:
        return f"{name} on {device} by {strategy}: not over after {SOON} s"
    if done.returncode in (3, 7):
        return None
    return f"{name} on {device} by {strategy}: status {done.returncode}: {done.stderr[:200].decode('utf-8', 'replace')}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        tasks = []
        for name, text in PROGRAMS.items():
            path = os.path.join(folder, name + ".gf")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            tasks += [(name, device, strategy, path) for device in ("interp", "cpu") for strategy in ("auto", "host")]
            # The played GPU is slow; the ways that differ there.
            if name in ("loop", "one_for", "nest", "grid_loop", "fixpoint", "wide_forall"):
                tasks.append((name, "cuda", "auto", path))
        with ThreadPoolExecutor(4) as pool:
            wrong = [result for result in pool.map(go, tasks) if result is not None]
    for line in wrong:
        print("FAIL", line)
    print(f"{len(tasks) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
