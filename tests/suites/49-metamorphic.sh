#!/usr/bin/env bash
# Programs changed in ways that must change nothing: the golden programs (but for those that say `//! long`) and random
# ones, on the interpreter natively and by their plans; a few compiled, with several numbers of threads.
# METAMORPHIC_TIMES says how often each change is tried with other choices (default 1), METAMORPHIC_SEED from which seed,
# METAMORPHIC_COUNT on how many random programs (default 250).
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${GF_BUILD:-build}
seed=${METAMORPHIC_SEED:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
test=("$build/tests/metamorphic" --print --seed "$seed" --times "${METAMORPHIC_TIMES:-1}")

grep -L '^//! long' tests/golden/run/*.gf tests/conform/*.gf programs/*.gf tests/golden/races/free/*.gf \
    > "$folder/golden"
# Much work each: two changes by turns.
grep '/packs_' "$folder/golden" > "$folder/few"
grep -v '/packs_' "$folder/golden" > "$folder/all"
mkdir "$folder/random"
"$build/tests/differential" --write "$folder/random" --seed "$seed" --count "${METAMORPHIC_COUNT:-250}" || exit 1
find "$folder/random" -name '*.gf' | sort -V > "$folder/made"
sed -n '1~2p' "$folder/all" > "$folder/first"
sed -n '2~2p' "$folder/all" > "$folder/second"
{ sed -n '3~30p' "$folder/all"; head -n 8 "$folder/made"; } > "$folder/compiled"

run() {
    local part=$1
    shift
    xargs "${test[@]}" "$@" < "$folder/$part" > "$folder/$part.out" 2>&1
}
{ run first; run few --few; } &
{ run second; run made; run compiled --device cpu; } &
wait

passed=0
failed=0
skipped=0
for part in first second few made compiled; do
    grep -vE ' passed, |^[a-z ]+: [0-9]+$' "$folder/$part.out"
    line=$(grep ' passed, ' "$folder/$part.out" | tail -n 1)
    if [ -z "$line" ]; then
        echo "the driver died on $part"
        failed=$((failed + 1))
        continue
    fi
    passed=$((passed + $(echo "$line" | cut -d' ' -f1)))
    failed=$((failed + $(echo "$line" | cut -d' ' -f3)))
    skipped=$((skipped + $(echo "$line" | cut -d' ' -f5)))
done
# A change that is made nowhere tests nothing.
while read -r unused; do
    echo "never made: $unused"
    failed=$((failed + 1))
done < <(grep -hE '^[a-z ]+: 0$' "$folder/made.out")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
