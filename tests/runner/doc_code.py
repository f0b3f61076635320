#!/usr/bin/python3
"""Runs what the documents show: complete C programs, and console sessions.

A ```c block with a main() is compiled against the library of the build and run; an ```output block that follows it
is what it must print. In a ```console block each line that begins with `$ ` is run by the shell in the root of the
project, with the command `gridfence` of the build; the lines below are what it must print to standard output, and to
standard error if it fails. A block behind the line <!-- not run --> is left alone. Where a text names
`gridfence plan FILE --svg PICTURE`, the picture is what that makes. --update writes what was printed into the
documents, and the pictures.

The last line is `N passed, N failed, N skipped`.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
PICTURE = re.compile(r"`gridfence plan (\S+) --svg (\S+\.svg)`")
SKIP = "<!-- not run -->"


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def note(self, name, problem):
        if problem is None:
            self.passed += 1
            print("ok   " + name)
        else:
            self.failed += 1
            print("FAIL " + name)
            print(problem)


def difference(expected, got):
    return "expected:\n%s\ngot:\n%s" % (expected, got)


def libraries(build):
    """What a program that links the archive of this build needs, as its pkg-config file says."""
    said = subprocess.run(["pkg-config", "--static", "--libs", os.path.join(build, "gridfence.pc")],
                          capture_output=True, text=True)
    if said.returncode != 0:
        raise RuntimeError(said.stderr)
    return [os.path.join(build, "libgridfence.a")] + [word for word in said.stdout.split() if word != "-lgridfence"]


def run_c(code, build, work):
    """What the program prints, or raises RuntimeError."""
    source, binary = os.path.join(work, "block.c"), os.path.join(work, "block")
    with open(source, "w", encoding="utf-8") as file:
        file.write(code)
    command = [os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror",
               "-I", os.path.join(ROOT, "include"), "-o", binary, source] + libraries(build)
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        raise RuntimeError(made.stderr)
    ran = subprocess.run([binary], capture_output=True, text=True, timeout=60)
    if ran.returncode != 0 or ran.stderr:
        raise RuntimeError("status %d\n%s%s" % (ran.returncode, ran.stdout, ran.stderr))
    return ran.stdout


def run_console(text, build):
    """The block with what its commands print now."""
    environment = dict(os.environ, PATH=os.path.abspath(build) + os.pathsep + os.environ["PATH"], NO_COLOR="1")
    lines = []
    for line in text.splitlines():
        if not line.startswith("$ "):
            continue
        ran = subprocess.run(["sh", "-c", line[2:]], capture_output=True, text=True, cwd=ROOT, env=environment,
                             timeout=120)
        lines.append(line + "\n" + ran.stdout + (ran.stderr if ran.returncode != 0 else ""))
    return "".join(lines)


def check_picture(program, picture, options, work):
    made = os.path.join(work, "picture.svg")
    ran = subprocess.run([os.path.join(os.path.abspath(options.build), "gridfence"), "plan", program, "--svg", made],
                         capture_output=True, text=True, cwd=ROOT, timeout=60)
    if ran.returncode != 0:
        return ran.stderr
    if options.update:
        shutil.copyfile(made, os.path.join(ROOT, picture))
    with open(made, "rb") as a, open(os.path.join(ROOT, picture), "rb") as b:
        return None if a.read() == b.read() else "the picture is another one by now; --update makes it anew"


def check_document(path, options, work, counts):
    name = os.path.relpath(path, ROOT)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for program, picture in PICTURE.findall(text):
        counts.note("%s %s" % (name, picture), check_picture(program, picture, options, work))
    changes = []
    printed = None
    for block in BLOCK.finditer(text):
        kind, body = block.group(1), block.group(2)
        where = "%s:%d %s" % (name, text.count("\n", 0, block.start()) + 1, kind)
        if text[:block.start()].rstrip().endswith(SKIP):
            counts.skipped += 1
        elif kind == "c" and re.search(r"^int main\(", body, re.M):
            try:
                printed = run_c(body, options.build, work)
                counts.note(where, None)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                printed = None
                counts.note(where, str(error))
        elif kind == "output":
            got = printed
            if got is not None and got != body and options.update:
                changes.append((block.start(2), block.end(2), got))
                got = body
            counts.note(where, None if got == body else difference(body, got))
        elif kind == "console":
            got = run_console(body, options.build)
            if got != body and options.update:
                changes.append((block.start(2), block.end(2), got))
                got = body
            counts.note(where, None if got == body else difference(body, got))
    for start, end, got in reversed(changes):
        text = text[:start] + got + text[end:]
    if changes:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(description="Run the C programs and console sessions of the documents.")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="the build folder (default: build)")
    parser.add_argument("--update", action="store_true", help="write what was printed into the documents")
    parser.add_argument("documents", nargs="*", help="default: README.md and doc/*.md")
    options = parser.parse_args()
    documents = options.documents
    if not documents:
        folder = os.path.join(ROOT, "doc")
        documents = [os.path.join(ROOT, "README.md")]
        documents += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".md")]
    counts = Counts()
    with tempfile.TemporaryDirectory() as work:
        for path in documents:
            check_document(os.path.abspath(path), options, work, counts)
    print("%d passed, %d failed, %d skipped" % (counts.passed, counts.failed, counts.skipped))
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
