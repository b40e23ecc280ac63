#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into an empty folder, and builds and runs the examples, every public header alone and the examples in the headers, against the installed
# package and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
tree=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
make --no-print-directory install PREFIX="$folder/usr"
for file in bin/fogline share/man/man1/fogline.1 share/man/man1/fogline-place-release.1 include/fogline/request.hpp; do
  [ -s "$folder/usr/$file" ] || { echo "not installed: $file"; exit 1; }
done
[ "$(cd "$folder/usr/include" && find . -name '*.hpp' | wc -l)" = "$(find include -name '*.hpp' | wc -l)" ]
cmake -S examples/consumer -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/usr" >/dev/null
cmake --build "$folder/build" >/dev/null

cd "$folder"
build/consumer | tee said
for line in "plan: a release costs 0.01 per metre, of dataset 'riders'" 'place: 3 records, charged as entry 8: metric DP, epsilon 0.01 per metre' 'weights: 3 records' 'path: 4 records' \
  'stream: 3 records' 'live stream: 3 records' 'traces: 9 records' 'left of riders: 0.01' 'the next is refused: over-budget'; do
  grep -q "^$line" said || { echo "not said: $line"; exit 1; }
done
usr/bin/fogline ledger verify --ledger consumer.ledger >/dev/null

# A release through the library is one like any other.
usr/bin/fogline sample place --network lattice:9x9:800 -o points.csv -q
echo '{"input": "points.csv", "network": "lattice:9x9:800", "epsilon": "1/50", "output": "safe.csv", "dataset": "me"}' > request.json
if build/release place request.json my.ledger 2>said; then exit 1; fi
grep -q "dataset 'me' is not declared" said
usr/bin/fogline ledger add --ledger my.ledger --dataset me --cap 'epsilon 1 per metre' -q
said=$(build/release place request.json my.ledger 2>/dev/null)
echo "the other example says: $said"
[[ $said =~ ^"100 records, charged as entry 3: metric DP, epsilon 0.02 per metre" ]]
usr/bin/fogline verify safe.csv --ledger my.ledger >/dev/null || [ $? = 4 ]  # nobody signed it
if build/release place request.json my.ledger 2>said; then exit 1; fi
grep -q 'safe.csv.*exists' said

"$tree/tests/public_headers.py" "$folder/usr"
