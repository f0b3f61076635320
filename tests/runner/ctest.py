#!/usr/bin/python3
"""Runs the programs that CTest knows in a build folder and counts their test cases, as cmocka reports them.

ctest.py BUILD_FOLDER [-R PATTERN]...   (further arguments go to ctest)

A program that ends badly without naming a failed case counts as one failure; one that reports no cases counts as one.
Only the output of programs that failed is shown. Ends with `N passed, N failed, N skipped`.
"""
import os
import re
import subprocess
import sys

END = re.compile(r"^ *\d+/\d+ Test +#(\d+): (\S+) \.* *(\S.*?) +[\d.]+ sec")
LINE = re.compile(r"^ *(\d+): (.*)$")
COUNT = re.compile(r"\[  (PASSED|FAILED|SKIPPED) *\] (\d+) test\(s\)")


def main():
    jobs = os.environ.get("JOBS", "2")
    command = ["ctest", "--test-dir", sys.argv[1], "-V", "-j", jobs, *sys.argv[2:]]
    ctest = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = ctest.stdout.decode("utf-8", "replace")
    if "No tests were found" in text:
        print("no tests in " + sys.argv[1])
        print("0 passed, 1 failed, 0 skipped")
        return 1

    outputs = {}
    counts = {}
    total = {"PASSED": 0, "FAILED": 0, "SKIPPED": 0}
    ended = 0
    for line in text.splitlines():
        end = END.match(line)
        if end:
            number, name, verdict = end.groups()
            ended += 1
            mine = counts.get(number, {})
            if not verdict.startswith("Passed"):
                if not mine.get("FAILED"):
                    mine["FAILED"] = 1
                print(f"FAIL {name}: {verdict}")
                print("\n".join("    " + out for out in outputs.get(number, [])[-200:]))
            elif not mine:
                mine["PASSED"] = 1
            for key, count in mine.items():
                total[key] += count
            continue
        said = LINE.match(line)
        if said:
            number, out = said.groups()
            outputs.setdefault(number, []).append(out)
            count = COUNT.search(out)
            if count:
                mine = counts.setdefault(number, {})
                mine[count.group(1)] = mine.get(count.group(1), 0) + int(count.group(2))
    print(f"{ended} test programs")
    if ended == 0 or (ctest.returncode != 0 and total["FAILED"] == 0):
        print(text[-4000:])
        total["FAILED"] += 1
    print(f"{total['PASSED']} passed, {total['FAILED']} failed, {total['SKIPPED']} skipped")
    return 1 if total["FAILED"] else 0


sys.exit(main())
