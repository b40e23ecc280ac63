#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian package, installs it (as root for real, otherwise unpacked), and runs the installed program.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf build/package
make --no-print-directory package
package=$(ls build/package/fogline_*.deb)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
grep -q '^ Depends: .*libsodium' <<<"$(dpkg-deb --info "$package")" || { echo "the package names no dependencies"; exit 1; }
grep -q '^ Depends: .*libpq5' <<<"$(dpkg-deb --info "$package")" || { echo "the package does not depend on libpq"; exit 1; }
grep -q man1/fogline-place-release.1 <<<"$(dpkg-deb --contents "$package")" || { echo "no man pages in the package"; exit 1; }
if [ "$(id -u)" -eq 0 ] && ! dpkg-query -W fogline >/dev/null 2>&1; then
  dpkg -i "$package" >/dev/null
  trap 'rm -rf "$folder"; dpkg -r fogline >/dev/null' EXIT
  fogline=/usr/bin/fogline
else
  dpkg-deb -x "$package" "$folder/root"
  fogline=$folder/root/usr/bin/fogline
fi
cd "$folder"
"$fogline" --version
"$fogline" sample place --network line:101:1000 -o points.csv -q
"$fogline" key make -o office.key -q
"$fogline" ledger add --ledger ledger --cap 'epsilon 1 per metre' -q
"$fogline" place release --network line:101:1000 --epsilon 0.02 points.csv -o safe.csv --ledger ledger --sign office.key -q
"$fogline" verify safe.csv.statement.json --ledger ledger --trust office.pub >/dev/null
echo "the package installs and runs"
