#!/usr/bin/env bash
# Random programs, each run as it stands and by its plan in several forms: the same bytes everywhere.
# DIFFERENTIAL_COUNT says how many (default 400), DIFFERENTIAL_SEED from which seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${GF_BUILD:-build}
count=${DIFFERENTIAL_COUNT:-400}
seed=${DIFFERENTIAL_SEED:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 tests/differential/generate.py "$seed" "$count" "$folder" || exit 1
half=$((count / 2))
find "$folder" -name '*.gf' | sort -V > "$folder/all"
head -n "$half" "$folder/all" > "$folder/first"
tail -n "+$((half + 1))" "$folder/all" > "$folder/second"
/usr/bin/python3 tests/differential/generate.py "$seed" "$half" "$folder/group" --one-group || exit 1
find "$folder/group" -name '*.gf' | sort -V > "$folder/third"
for part in first second; do
    xargs "$build/tests/differential" < "$folder/$part" > "$folder/$part.out" 2>&1 &
done
wait
xargs "$build/tests/differential" --one-group < "$folder/third" > "$folder/third.out" 2>&1
passed=0
failed=0
for part in first second third; do
    grep -v ' passed, ' "$folder/$part.out"
    line=$(grep ' passed, ' "$folder/$part.out" | tail -n 1)
    if [ -z "$line" ]; then
        echo "the driver died"
        failed=$((failed + 1))
        continue
    fi
    passed=$((passed + $(echo "$line" | cut -d' ' -f1)))
    failed=$((failed + $(echo "$line" | cut -d' ' -f3)))
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
