#!/usr/bin/python3
"""Golden programs: runs each `.gf` as the `//!` lines at its head say, in every way there is, and counts what holds.

golden.py [--bin PATH] [--update] [--quick] [--full] [--jobs N] [--limit SECONDS] [--first] [--device NAME]... [PATH]...

Without arguments: tests/golden/run, tests/conform, programs and the programs in README.md and doc/*.md. doc/testing.md says what
the lines mean. `--update` rewrites the expected values (out, passes, converged) to what strategy native gives. `--quick` is for builds
that are slow: natively, by the plan and after fmt, and no program that says `//! long`. `--device NAME` leaves the other devices out,
and what holds of programs and plans on any device but `interp`; a device that is not there is skipped by its name.

On `interp` every program runs by each strategy. On a device that compiles (one launch by segments) every program runs as auto and as
host; a fixed fourth of them by the other strategies and with 1, 2 and 4 threads too, with `--full` all of them.
"""
import argparse
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORDS = {"args", "out", "passes", "converged", "status", "error", "stderr", "strategies", "only", "launches",
         "segments", "dropped", "order-free", "races", "race", "long", "case"}
LIMIT = 120  # seconds for one command
SHOWN = 400  # characters of a value in a message
RACE = 6  # status of a run in which a race was found


class Case:
    """One set of bindings, with what is expected of it."""

    def __init__(self, name, first):
        self.name = name
        self.lines = []  # (number of the line, word, rest)
        self.first = first

    def all(self, word):
        return [rest for _, w, rest in self.lines if w == word]

    def one(self, word):
        found = self.all(word)
        return found[-1] if found else None

    def args(self):
        return [arg for rest in self.all("args") for arg in shlex.split(rest)]


def read_cases(text, place):
    """The cases of a program's leading comments, and what is wrong with them. Lines before the first `case` that is
    not at the top belong to a case of their own; expectations about the program (order-free, segments, dropped) too."""
    cases, wrong = [Case("", 0)], []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line and not line.startswith("//"):
            break
        if not line.startswith("//!"):
            continue
        word, _, rest = line[3:].strip().partition(" ")
        if word == "out" and rest:
            rest = rest.strip()
        if word not in WORDS:
            wrong.append(f"{place}:{number}: no line `//! {word}`")
        elif word == "case":
            if not cases[-1].lines:
                cases.pop()
            cases.append(Case(rest.strip(), number))
        else:
            cases[-1].lines.append((number, word, rest.strip()))
    return ([case for case in cases if case.lines] or [Case("", 0)]), wrong


def same_values(expected, found):
    return expected.split() == found.split()


class Way:
    """One way to run a program: a device, a strategy, how many threads."""

    def __init__(self, device, strategy, threads=0, depth="all"):
        self.device, self.name, self.strategy, self.threads, self.depth = device, device["name"], strategy, threads, depth
        self.options = ["--device", self.name, "--strategy", strategy]
        self.title = f"{self.name} {strategy}"
        if threads > 0:
            self.options += ["--threads", str(threads)]
            self.title += f" on {threads} thread{'s' if threads > 1 else ''}"

    def serves(self, wanted):
        """Whether `only` and `strategies` lines name it; auto is native where it is asked for here."""
        return wanted is None or ("native" if self.strategy == "auto" else self.strategy) in wanted

    def has(self, args):
        """Whether the device can do what the options ask for."""
        limits = self.device["limits"]
        return (limits["races"] or "--check-races" not in args) and (limits["checked"] or "--checked" not in args)


def ways_of(device, quick, full):
    if not device["limits"]["native_is_resident"]:
        return [Way(device, s) for s in device["strategies"] if not quick or s in ("native", "host")]
    ways = [Way(device, "auto", 0, "plain" if quick else "all"), Way(device, "host", 0, "plain")]
    if not quick:
        depth = "plain" if full else "some"
        ways += [Way(device, s, 0, depth) for s in device["strategies"] if s in ("resident", "persistent")]
        ways += [Way(device, "native", threads, depth) for threads in (1, 2, 4)]
    return ways


class Enough(Exception):
    """With --first: something has failed, and nothing more is asked."""


class Test:
    """One program: everything that is tried with it."""

    def __init__(self, runner, place, path, text, must_run):
        self.runner, self.place, self.path, self.text, self.must_run = runner, place, path, text, must_run
        self.passed, self.skipped, self.failures = 0, 0, []
        self.updates = {}  # line number -> new text

    def check(self, holds, what, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failures.append(f"FAIL {what}" + (f"\n     {detail}" if detail else ""))
            if self.runner.first:
                raise Enough
        return holds

    def command(self, *args):
        """Status, standard output and standard error; a command that hangs has status None."""
        try:
            done = subprocess.run([self.runner.binary, *args], capture_output=True, timeout=self.runner.limit, cwd=ROOT,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None, "", f"took more than {self.runner.limit} s"
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def run(self):
        cases, wrong = read_cases(self.text, self.place)
        for message in wrong:
            self.check(False, message)
        status, out, err = self.command("check", self.path)
        fails = any(case.one("status") == "1" for case in cases)
        if fails:
            for case in cases if self.runner.witness else []:
                self.check_refusal(case)
            return
        if not self.check(status == 0, f"{self.place}: check", err or f"status {status}"):
            return
        formatted = None
        if self.runner.witness:
            self.check_stable_plan()
            formatted = self.format()
        if not self.must_run and not any(case.lines for case in cases):
            return
        for case in cases:
            self.run_case(case, formatted)

    def check_refusal(self, case):
        name = f"{self.place} {case.name}".strip()
        status, out, err = self.command("check", self.path)
        self.check(status == 1, f"{name}: check refuses it", f"status {status}\n{err}")
        self.check_messages(case, name, err)

    def check_messages(self, case, name, err):
        for codes in case.all("error"):
            for code in codes.split():
                self.check(f"[{code}]" in err, f"{name}: {code} is told", err)
        for text in case.all("stderr"):
            self.check(text in err, f"{name}: tells `{text}`", err)

    def check_stable_plan(self):
        """Two processes make the same plan."""
        for form in ("--json", "--segments"):
            first, second = self.command("plan", self.path, form), self.command("plan", self.path, form)
            self.check(first[0] == 0 and first == second, f"{self.place}: plan {form} twice", first[2])
        if not self.runner.quick:
            self.check_segments(first[1])

    def check_segments(self, text):
        """Each segment is a program by itself, which the checker takes."""
        for number, part in enumerate(re.split(r"^// segment \d+ of \d+\n", text, flags=re.M)[1:]):
            done = subprocess.run([self.runner.binary, "check", "-"], input=part.encode(), capture_output=True,
                                  timeout=self.runner.limit)
            self.check(done.returncode == 0, f"{self.place}: segment {number} by itself", done.stderr.decode())

    def format(self):
        """A file with the canonical text, which must be that of itself; None where there is none."""
        status, out, err = self.command("fmt", self.path)
        if not self.check(status == 0, f"{self.place}: fmt", err):
            return None
        path = os.path.join(self.runner.scratch, re.sub(r"\W", "_", self.place) + ".gf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(out)
        again = self.command("fmt", path)
        self.check(again[0] == 0 and again[1] == out, f"{self.place}: fmt of fmt is the same")
        return path

    def ways(self, case):
        named = case.one("only") or case.one("strategies")
        wanted = named.split() if named else None
        some = zlib.crc32(self.place.encode()) % 4 == 0
        return [way for way in self.runner.ways
                if way.serves(wanted) and way.has(case.args()) and (some or way.depth != "some")]

    def marks(self):
        """The lines that end in a comment `// @MARK ...`, by mark."""
        found = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            for mark in re.findall(r"@(\w+)", line.rpartition("// ")[2] if re.search(r"// @[\w@ ]+$", line) else ""):
                found[mark] = number
        return found

    def run_racy(self, case, name, ways):
        """Each `race ARRAY MARK MARK` is found, with the lines of both sides, and no other. Without the checker the
        program runs to its end all the same."""
        marks, wanted = self.marks(), set()
        for rest in case.all("race"):
            array, *sides = rest.split()
            if self.check(len(sides) == 2 and all(side in marks for side in sides), f"{name}: marks of race {rest}"):
                wanted.add((array, *sorted(marks[side] for side in sides)))
        for way in [way for way in ways if way.name != "interp" or way.strategy in ("native", "host")]:
            status, _, err = self.command("run", self.path, *case.args(), *way.options)
            self.check(status == 0, f"{name}: {way.title}, unchecked", f"status {status}\n{err}")
            if way.name != "interp" or way.strategy != "native":
                continue
            status, _, err = self.command("run", self.path, *case.args(), *way.options, "--check-races")
            found = {(array, *sorted((int(first), int(second)))) for array, first, second in re.findall(
                r"^[^\n]*error\[GF0705\]: race on `(\w+)\[.*?^[^\n]*?:(\d+):\d+: note: .*?^[^\n]*?:(\d+):\d+: note: ",
                err, re.M | re.S)}
            self.check(status == RACE and found == wanted, f"{name}: its races",
                       f"expected {sorted(wanted)}\n     found    {sorted(found)}, status {status}\n{err}")
            self.check_messages(case, name, err)

    def run_case(self, case, formatted):
        name = f"{self.place} {case.name}".strip()
        if self.runner.witness:
            self.check_program(case, name)
        ways = self.ways(case)
        if not ways:
            self.skipped += 1
        if case.all("race"):
            self.run_racy(case, name, ways)
            return
        for way in ways:
            self.run_way(case, f"{name}: {way.title}", self.path, way.options, way, True)
            if way.depth == "all" and not self.runner.quick:
                self.run_way(case, f"{name}: {way.title} --keep-barriers", self.path, way.options + ["--keep-barriers"],
                             way, False)
        for way in [way for way in ways if way.name == "interp" and way.strategy == "native"]:
            if case.one("races") != "no":
                checks = ["--check-races"] if case.one("races") == "yes" else ["--checked", "--check-races"]
                self.run_way(case, f"{name}: {' '.join(checks)}", self.path, way.options + checks, way, False)
            if formatted is not None:
                self.run_way(case, f"{name}: after fmt", formatted, way.options, way, False)

    def check_program(self, case, name):
        """What holds of the program and its plan, whatever the way."""
        free = case.one("order-free")
        if free is not None:
            _, out, err = self.command("check", "--json", self.path)
            got = json.loads(out)["order_free"]
            self.check(got == (free == "yes"), f"{name}: order-free {free}", f"found {got}")
        if case.one("segments") is None and case.one("dropped") is None:
            return
        extra = [a for a in ("--keep-barriers", "--keep-empty") if a in case.args()]
        if "--passes" in case.args():
            extra += ["--passes", case.args()[case.args().index("--passes") + 1]]
        status, out, err = self.command("plan", "--json", self.path, *extra)
        if not self.check(status == 0, f"{name}: plan --json", err):
            return
        plan = json.loads(out)
        figures = {"segments": len(plan["segments"]), "dropped": sum(b["dropped"] for b in plan["barriers"])}
        for word, found in figures.items():
            wanted = case.one(word)
            if wanted is not None:
                self.check(int(wanted) == found, f"{name}: {word} {wanted}", f"found {found}")

    def run_way(self, case, name, path, how, way, plain):
        outs = [re.split(r"\s*:\s*", rest, maxsplit=1) for rest in case.all("out")]
        wanted = int(case.one("status") or 0)
        sinks = [arg for out in outs for arg in ("--out", f"{out[0]}=-")]
        status, out, err = self.command("run", path, *case.args(), *sinks, *how)
        if way.strategy == "native" and "GF0623" in err and "resident at once" in err:
            self.skipped += 1  # the grid is larger than this device
            return
        if not self.check(status == wanted, f"{name}: status {wanted}", f"status {status}\n{err}"):
            return
        self.check_messages(case, name, err)
        if wanted not in (0,):
            return
        found = {}
        for line in out.split("\n"):
            key, colon, values = line.partition(":")
            if colon:
                found[key] = values.strip()
        for number, word, rest in case.lines:
            if word == "out":
                key, values = (re.split(r"\s*:\s*", rest, maxsplit=1) + [""])[:2]
                holds = key in found and same_values(values, found[key])
                if not holds and self.runner.update and plain and way.strategy == "native":
                    self.updates[number] = f"//! out {key}: {found.get(key, '')}".rstrip()
                    continue
                self.check(holds, f"{name}: out {key}",
                           f"expected {values[:SHOWN]}\n     found    {found.get(key, 'nothing')[:SHOWN]}")
        self.check_figures(case, name, path, how, way, plain)

    def check_figures(self, case, name, path, how, way, plain):
        launches = dict(pair.split("=", 1) for rest in case.all("launches") for pair in rest.split())
        # A device that runs the whole program in one launch may put segments together.
        strategy = way.strategy
        wants_launches = plain and strategy in launches and (strategy == "host" or
                                                             not way.device["limits"]["native_is_resident"])
        if case.one("passes") is None and case.one("converged") is None and not wants_launches:
            return
        status, out, err = self.command("run", path, *case.args(), *how, "--json")
        if not self.check(status == 0, f"{name}: --json", err):
            return
        stats = json.loads(out)
        converged = {True: "yes", False: "no", None: "null"}[stats["converged"]]
        for word, found in (("passes", str(stats["passes"])), ("converged", converged)):
            wanted = case.one(word)
            if wanted is not None and wanted != found and self.runner.update and plain and strategy == "native":
                number = [n for n, w, _ in case.lines if w == word][-1]
                self.updates[number] = f"//! {word} {found}"
            elif wanted is not None:
                self.check(wanted == found, f"{name}: {word} {wanted}", f"found {found}")
        if wants_launches:
            self.check(int(launches[strategy]) == stats["launches"], f"{name}: launches {launches[strategy]}",
                       f"found {stats['launches']}")


class Runner:
    def __init__(self, options, scratch):
        self.binary, self.update, self.quick = os.path.abspath(options.binary), options.update, options.quick
        self.limit, self.first = options.limit, options.first
        self.scratch = scratch
        done = subprocess.run([self.binary, "devices", "--json"], capture_output=True, timeout=LIMIT, check=True)
        devices = json.loads(done.stdout)
        wanted = options.device or [device["name"] for device in devices]
        self.missing = [name for name in wanted if name not in [device["name"] for device in devices]]
        self.ways = [way for device in devices if device["name"] in wanted
                     for way in ways_of(device, options.quick, options.full)]
        self.witness = "interp" in wanted


def blocks_of(path):
    """(place, text) of each ``` block in a page that begins a program."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for found in re.finditer(r"^```[^\n]*\n(.*?)^```", text, re.M | re.S):
        body = found.group(1)
        if re.search(r"\A(\s*//[^\n]*\n|\s*\n)*\s*program\s+\w+\s*;", body) and re.search(r"^\s*kernel\b", body, re.M):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{os.path.relpath(path, ROOT)}:{line}", body


def collect(paths, scratch):
    """(place, path, text, must_run) of everything to be tried."""
    found = []
    for path in paths:
        if os.path.isdir(path):
            found += [(p, False) for p in sorted(glob.glob(os.path.join(path, "**", "*.gf"), recursive=True))]
        elif path.endswith(".md"):
            for place, body in blocks_of(path):
                copy = os.path.join(scratch, re.sub(r"\W", "_", place) + ".block.gf")
                with open(copy, "w", encoding="utf-8") as file:
                    file.write(body)
                yield place, copy, body, False
        else:
            found.append((path, False))
    for path, _ in found:
        with open(path, encoding="utf-8", errors="replace") as file:
            yield os.path.relpath(path, ROOT), os.path.abspath(path), file.read(), True


def rewrite(test):
    lines = test.text.split("\n")
    for number, line in test.updates.items():
        lines[number - 1] = line
    with open(test.path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(f"updated {test.place}: {len(test.updates)} lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", "--gridfence", dest="binary", default=os.path.join(ROOT, "build", "gridfence"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--device", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one command")
    parser.add_argument("--first", action="store_true", help="end at the first program that fails")
    parser.add_argument("--verbose", action="store_true", help="a line for every program")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    paths = options.paths or [p for p in (os.path.join(ROOT, "tests/golden/run"), os.path.join(ROOT, "tests/conform"),
                                          os.path.join(ROOT, "programs"),
                                          os.path.join(ROOT, "README.md"), *sorted(glob.glob(f"{ROOT}/doc/*.md")))
                              if os.path.exists(p)]
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(options, scratch)
        for name in runner.missing:
            print(f"skip device {name}: it is not here")
            skipped += 1
        tests = [Test(runner, *item) for item in (collect(paths, scratch) if runner.ways else [])
                 if not (options.quick and re.search(r"^//! long$", item[2], re.M))]

        over = threading.Event()

        def attempt(test):
            try:
                if not over.is_set():
                    test.run()
            except Enough:
                over.set()
            except Exception as error:  # a broken line of one program must not hide the others
                test.failures.append(f"FAIL {test.place}: {type(error).__name__}: {error}")
            return test

        with ThreadPoolExecutor(options.jobs) as pool:
            for test in pool.map(attempt, tests):
                passed, failed, skipped = passed + test.passed, failed + len(test.failures), skipped + test.skipped
                if options.verbose or test.failures:
                    print(f"{'FAIL' if test.failures else 'ok  '} {test.place}")
                for failure in test.failures:
                    print(failure)
                if test.updates and test.place.endswith(".gf"):
                    rewrite(test)
                sys.stdout.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
