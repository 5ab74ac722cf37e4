#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# soak.sh ECHOLUX HOURS [FOLDER]: a simulator writes into shared memory, a window shows it, a recorder writes it down, for
# HOURS in pieces of ten minutes each, so that the disk does not fill: each piece is checked and removed. A line per piece in
# FOLDER/soak.csv (here by default): hours so far, frames written, frames in the file, frames missing, memory of writer, window
# and recorder in MB, threads and descriptors of the window. A second call goes on after the last line. Ends with 1 where a
# frame is missing, or where a process ended, or holds more descriptors or 1.2 times the memory than after its first piece.
# Needs Xvfb and Python.
set -euo pipefail
echolux=$1 hours=$2 folder=${3:-.} piece=600
work=$(mktemp -d) name=soak-$$ table=$folder/soak.csv
export XDG_RUNTIME_DIR=$work HOME=$work
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work" "/dev/shm/echolux-$name"' EXIT
[ -s "$table" ] || echo "hours,written,recorded,missing,writer_mb,window_mb,recorder_mb,window_threads,window_descriptors" >"$table"
before=$(tail -n 1 "$table" | cut -d, -f1)
[[ $before =~ ^[0-9] ]] || before=0

status() { awk -v key="$2:" '$1 == key { print $2 }' "/proc/$1/status"; }
megabytes() { echo $(($(status "$1" VmRSS) / 1024)); }
alive() { kill -0 "$1" 2>/dev/null || { echo "The $2 has ended: $(tail -n 1 "$work/$2.log")" >&2; exit 1; }; }

Xvfb -displayfd 4 4>"$work/display" 2>/dev/null &
while [ ! -s "$work/display" ]; do sleep 0.1; done
export DISPLAY=:$(cat "$work/display")
"$echolux" serve 'simulator:echoes?elements=16&waves=1&depth=15&rate=200' --name "$name" --slots 1024 --backend cpu >"$work/writer.log" 2>&1 &
writer=$!
sleep 2
"$echolux" view --source "shared:$name" --backend cpu >"$work/window.log" 2>&1 &
window=$!
sleep 5
first_memory=0 first_descriptors=0
while awk -v a="$before" -v b="$hours" 'BEGIN { exit !(a < b) }'; do
  file=$work/piece.echolux.h5
  "$echolux" record "shared:$name" --seconds $piece -o "$file" --force --backend cpu >"$work/recorder.log" 2>&1 &
  recorder=$!
  sleep $((piece - 5))
  recorder_mb=$(megabytes $recorder)
  wait $recorder || { echo "The recorder: $(tail -n 1 "$work/recorder.log")" >&2; exit 1; }
  alive $writer writer
  alive $window window
  read -r recorded missing < <("$echolux" info --json "$file" |
    python3 -c 'import json, sys; facts = json.load(sys.stdin); print(facts["frames"], facts.get("missing_frames", 0))')
  before=$(awk -v a="$before" -v s=$piece 'BEGIN { printf "%.3f", a + s / 3600 }')
  memory=$(megabytes $window) descriptors=$(ls "/proc/$window/fd" | wc -l)
  echo "$before,$((recorded + missing)),$recorded,$missing,$(megabytes $writer),$memory,$recorder_mb,$(status $window Threads),$descriptors" | tee -a "$table"
  [ "$missing" = 0 ] || { echo "Frames are missing." >&2; exit 1; }
  [ $first_memory != 0 ] || { first_memory=$memory first_descriptors=$descriptors; }
  [ $((10 * memory)) -le $((12 * first_memory)) ] && [ "$descriptors" -le "$first_descriptors" ] ||
    { echo "The window grows." >&2; exit 1; }
done
