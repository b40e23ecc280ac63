#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into an empty folder, and builds the example and every installed header against the installed package.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
make --no-print-directory install PREFIX="$folder/usr"
for file in bin/fogline share/man/man1/fogline.1 share/man/man1/fogline-place-release.1 include/fogline/place/gem.hpp; do
  [ -s "$folder/usr/$file" ] || { echo "not installed: $file"; exit 1; }
done
cmake -S examples/consumer -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/usr" >/dev/null
cmake --build "$folder/build" >/dev/null
said=$("$folder/build/consumer")
echo "the example says: $said"
[[ $said =~ ^"released vertex "[0-9]+" of 400: metric DP, epsilon 0.01 per metre" ]]

# A release through the library is one like any other.
(
  cd "$folder"
  usr/bin/fogline sample place --network lattice:9x9:800 -o points.csv -q
  echo '{"input": "points.csv", "network": "lattice:9x9:800", "epsilon": "1/50", "output": "safe.csv", "ledger": "my.ledger", "dataset": "me"}' > request.json
  said=$(build/release request.json 2>/dev/null)
  echo "the other example says: $said"
  [[ $said =~ ^"100 positions, charged as entry 1: metric DP, epsilon 0.02 per metre" ]]
  usr/bin/fogline verify safe.csv --ledger my.ledger >/dev/null
  if build/release request.json 2>said; then exit 1; fi
  grep -q 'safe.csv.*exists' said
)

tests/installed_headers.sh "$folder/usr"
