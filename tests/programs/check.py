#!/usr/bin/python3
"""The programs of programs/ against NetworkX, SciPy and NumPy: check.py [--bin PATH] [--index FILE] [PROGRAM]...

Each program runs on every device there is, on small made inputs and on a real one, the dependencies between Debian
packages: those of FILE (in the format of `apt-cache dumpavail`), else of this machine's index, else of what is
installed here.
"""
import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile

import arrays
import graphs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENOUGH = 1000  # packages: fewer are no index
TASKS = []  # case, command, devices


class Failure(Exception):
    pass


class Tool:
    """The command, on one device, with a folder for its files."""

    def __init__(self, binary, device, folder):
        self.binary, self.device, self.folder = binary, device, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def save(self, **arrays_by_name):
        """Arguments that bind these arrays to the buffers of the same names."""
        words = []
        for name, values in arrays_by_name.items():
            arrays.np.save(self.path(f"in-{name}.npy"), values)
            words += ["--in", f"{name}={self.path(f'in-{name}.npy')}"]
        return words

    def run(self, program, outputs, *words, **params):
        """The outputs asked for, as a dictionary of arrays."""
        words = [self.binary, "run", os.path.join(ROOT, "programs", program + ".gf"), "--quiet", "--device",
                 self.device, *words]
        for name, value in params.items():
            words += ["--set", f"{name}={value}"]
        for name in outputs:
            words += ["--out", f"{name}={self.path(f'out-{name}.npy')}"]
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Failure(f"status {done.returncode}: {done.stderr.strip()[-400:]}")
        return {name: arrays.np.load(self.path(f"out-{name}.npy")) for name in outputs}


def package_graph(folder, index):
    """depends.mtx in `folder`, from the best index there is; where it came from."""
    maker = os.path.join(ROOT, "scripts", "package-graph")
    if index is not None:
        subprocess.run([maker, folder, index], check=True, capture_output=True)
        return index
    try:
        with subprocess.Popen(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as apt:
            subprocess.run([maker, folder], stdin=apt.stdout, check=True, capture_output=True)
        with open(os.path.join(folder, "packages.txt"), encoding="utf-8") as file:
            if sum(1 for _ in file) >= ENOUGH:
                return "apt-cache"
    except (OSError, subprocess.CalledProcessError):
        pass
    if not os.path.exists("/var/lib/dpkg/status"):
        return None
    subprocess.run([maker, folder, "/var/lib/dpkg/status"], check=True, capture_output=True)
    return "/var/lib/dpkg/status"


def check_case(number):
    """What is wrong on each device with that case, or None; in a folder of its own."""
    case, binary, devices = TASKS[number]
    found = []
    for device in devices:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found.append(case.check(Tool(binary, device, folder)))
            except (Failure, subprocess.TimeoutExpired) as error:
                found.append(str(error))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", dest="binary", default=os.path.join(ROOT, "build", "gridfence"))
    parser.add_argument("--index")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    found = subprocess.run([binary, "devices", "--json"], capture_output=True, check=True)
    devices = [device["name"] for device in json.loads(found.stdout)]
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        source = package_graph(folder, options.index)
        if source is None:
            print("skip the package graph: no package index here")
            skipped += 1
        cases = graphs.make_cases(folder, source is not None, binary) + arrays.make_cases(folder, source is not None)
        unknown = set(options.programs) - {case.program for case in cases}
        if unknown:
            sys.exit(f"check.py: no test of {' '.join(sorted(unknown))}")
        TASKS.extend((case, binary, devices) for case in cases if not options.programs or case.program in options.programs)
        # Processes, since much of the time goes into Python; they are copies of this one, and so have the cases.
        with multiprocessing.get_context("fork").Pool(int(os.environ.get("JOBS", "2"))) as pool:
            for (case, *_), found in zip(TASKS, pool.imap(check_case, range(len(TASKS)))):
                for device, wrong in zip(devices, found):
                    if wrong:
                        failed += 1
                        print(f"FAIL {case.program}, {case.name}, {device}: {wrong}")
                    else:
                        passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
