#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kills.sh ECHOLUX [TIMES]: kills `echolux record` in the middle of writing, TIMES times (100), at moments that differ. Each
# file must open, and each frame that it says it has must be readable.
set -euo pipefail
echolux=$1 times=${2:-100}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source='simulator:echoes?elements=16&waves=1&depth=15&rate=400'
exec 3>&2 2>"$folder/said" # the shell names each killed job
fail() { echo "$1" >&3; exit 1; }
total=0 early=0
for n in $(seq "$times"); do
  file=$folder/$n.echolux.h5
  "$echolux" record "$source" -o "$file" --backend cpu >/dev/null &
  sleep "$(printf '0.%03d' $((150 + RANDOM % 700)))"
  kill -9 $!
  wait $! || true
  if [ ! -s "$file" ]; then
    early=$((early + 1))
    continue
  fi
  frames=$("$echolux" info --json "$file" | python3 -c 'import json, sys; print(json.load(sys.stdin)["frames"])') ||
    fail "File $n does not open: $(tail -n 1 "$folder/said")"
  "$echolux" export "$file" --output-of recording -o "$folder/$n.npz" --backend cpu >/dev/null ||
    fail "File $n says that it has $frames frames: $(tail -n 1 "$folder/said")"
  total=$((total + frames))
  rm -f "$file"* "$folder/$n.npz"
done
echo "$times kills, $early of them before a file was there: all files open, $total frames in them are readable."
