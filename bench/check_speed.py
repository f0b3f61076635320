#!/usr/bin/python3
"""How long `check` takes for a long program and `plan` for one of many barriers: as multiples of reading the file.

check_speed.py [--bin PATH] [--repeat N]   medians; to be compared with themselves, on one machine
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def median(repeat, action):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(HERE), "build", "gridfence"))
    parser.add_argument("--repeat", type=int, default=11)
    options = parser.parse_args()

    def command(*args):
        subprocess.run([options.bin, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    start = median(options.repeat, lambda: command("--version"))
    with tempfile.TemporaryDirectory() as folder:
        for name, verb, shape in (("10000 lines", "check", ("lines", "10000")),
                                  ("500 barriers, 200 values", "plan", ("barriers", "500", "200"))):
            path = os.path.join(folder, verb + ".gf")
            with open(path, "wb") as file:
                subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), *shape], stdout=file, check=True)

            def read():
                with open(path, "rb") as file:
                    return file.read()
            lines = read().count(b"\n")
            reading = median(options.repeat * 5, read)
            took = median(options.repeat, lambda: command(verb, path)) - start
            print(f"{verb:6} {name:26} {lines:6} lines  {1000 * took:8.2f} ms, {took / reading:9.0f} times reading it "
                  f"({1000 * reading:.3f} ms)")
    print(f"the start of a process, {1000 * start:.2f} ms, is left out")


if __name__ == "__main__":
    main()
