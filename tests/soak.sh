#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# soak.sh ECHOLUX HOURS [FOLDER [MINUTES]]: a simulator writes into shared memory, a window shows it, a recorder writes it
# down, for HOURS in pieces of MINUTES (10) each, so that the disk does not fill: each piece is checked and removed. A line per
# piece in FOLDER/soak.csv (here by default): hours so far, frames in the file, frames missing (memory was used again before the
# recorder wrote them), lost (shared memory was used again before the recorder took them), malformed; seconds that the recorder's
# threads waited for a processor; memory of writer, window and recorder in MB; threads, descriptors and processor seconds of the
# window. A second call goes on after the last line. Ends with 1 where a frame is missing, lost or malformed, where a process
# ended, or where the window holds more descriptors or 1.2 times the memory of its first piece, or computed nothing. Frames that
# are missing or lost are said and allowed only where the recorder waited for a processor for longer than shared memory lasts:
# then the machine was overloaded. Needs Xvfb and Python.
set -euo pipefail
echolux=$1 hours=$2 folder=${3:-.} piece=$((60 * ${4:-10})) rate=200 slots=1024
work=$(mktemp -d) name=soak-$$ table=$folder/soak.csv
export XDG_RUNTIME_DIR=$work HOME=$work
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work" "/dev/shm/echolux-$name"' EXIT
trap 'exit 1' INT TERM HUP
[ -s "$table" ] || echo "hours,recorded,missing,lost,malformed,recorder_waited_s,writer_mb,window_mb,recorder_mb,window_threads,window_descriptors,window_processor_s" >"$table"
before=$(tail -n 1 "$table" | cut -d, -f1)
[[ $before =~ ^[0-9] ]] || before=0

fail() { echo "$*" >&2; exit 1; }
status() { awk -v key="$2:" '$1 == key { print $2 }' "/proc/$1/status"; }
megabytes() { echo $(($(status "$1" VmRSS) / 1024)); }
waited() { cat "/proc/$1"/task/*/schedstat 2>/dev/null | awk '{ sum += $2 } END { printf "%.1f", sum / 1e9 }'; }
computed() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); printf "%.0f", ($12 + $13) / hz }' "/proc/$1/stat"; }
alive() { kill -0 "$1" 2>/dev/null || fail "The $2 has ended: $(tail -n 1 "$work/$2.log")"; }
count() { sed -nE "s/.*[;,] $1 ([0-9]+).*/\1/p" "$work/recorder.log" | grep . || fail "The recorder did not count '$1'"; }
sum() { awk "BEGIN { printf \"%.3f\", $1 }"; }
holds() { awk "BEGIN { exit !($1) }"; }

Xvfb -displayfd 4 4>"$work/display" 2>/dev/null &
while [ ! -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY
"$echolux" serve "simulator:echoes?elements=16&waves=1&depth=15&rate=$rate" --name "$name" --slots $slots --backend cpu >"$work/writer.log" 2>&1 &
writer=$!
sleep 2
"$echolux" view --source "shared:$name" --backend cpu >"$work/window.log" 2>&1 &
window=$!
sleep 5
first_memory=0 first_descriptors=0 seconds=$(computed $window)
while holds "$before < $hours"; do
  file=$work/piece.echolux.h5
  "$echolux" record "shared:$name" --seconds $piece -o "$file" --force --backend cpu >"$work/recorder.log" 2>&1 &
  recorder=$!
  sleep $((piece - 5)) &
  wait $! # signals end it
  alive $recorder recorder
  recorder_mb=$(megabytes $recorder) waited=$(waited $recorder)
  wait $recorder || fail "The recorder: $(tail -n 1 "$work/recorder.log")"
  alive $writer writer
  alive $window window
  recorded=$("$echolux" info --json "$file" | python3 -c 'import json, sys; print(json.load(sys.stdin)["frames"])')
  missing=$(count missing) lost=$(count 'lost at the source') malformed=$(count malformed)
  before=$(sum "$before + $piece / 3600")
  memory=$(megabytes $window) descriptors=$(ls "/proc/$window/fd" | wc -l) former=$seconds seconds=$(computed $window)
  echo "$before,$recorded,$missing,$lost,$malformed,$waited,$(megabytes $writer),$memory,$recorder_mb,$(status $window Threads),$descriptors,$((seconds - former))" | tee -a "$table"
  [ "$malformed" = 0 ] || fail "Frames are malformed."
  gone=$((missing + lost))
  if [ $gone != 0 ]; then
    holds "$waited > $slots / $rate" || fail "$gone frames are gone, and the recorder had a processor."
    echo "$gone frames are gone: the recorder waited $waited s for a processor."
  fi
  [ "$seconds" -gt "$former" ] || fail "The window computes nothing."
  [ $first_memory != 0 ] || { first_memory=$memory first_descriptors=$descriptors; }
  [ $((10 * memory)) -le $((12 * first_memory)) ] && [ "$descriptors" -le "$first_descriptors" ] || fail "The window grows."
done
