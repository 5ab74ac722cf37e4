#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kills.sh ECHOLUX [TIMES]: kills the parts of a live chain in turn, TIMES times (100), at moments that differ: the recorder,
# the writer of the shared memory, the window. After each kill:
#   recorder  its file opens, and each frame that it says it has is readable
#   writer    the last frame that it published is in the file, and frames of the writer that takes its place behind it
#   window    writer and recorder go on, and no frame is missing
# Needs Xvfb and Python.
set -euo pipefail
echolux=$1 times=${2:-100}
folder=$(mktemp -d) name=kills-$$
export XDG_RUNTIME_DIR=$folder HOME=$folder
exec 3>&2 2>"$folder/said" # the shell names each killed job
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$folder" "/dev/shm/echolux-$name"' EXIT
fail() { echo "Kill $n, of the $part: $1 $(tail -n 1 "$folder/said")" >&3; exit 1; }
frames_in() { "$echolux" info --json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)["frames"])'; }
raw() { "$echolux" export "$1" --output-of recording -o "$folder/raw.npz" --backend cpu --force >/dev/null; }
# holds FILE MEMORY FRAME: frame FRAME of the memory, from 0, or its last one for -1, is in the recording.
holds() {
  python3 - "$@" <<'PY'
import struct, sys
memory = open(sys.argv[2], "rb").read()
at, slots, step, size = (struct.unpack_from("<Q", memory, offset)[0] for offset in (48, 56, 64, 72))
published, = struct.unpack_from("<Q", memory, 128)
begin = at + int(sys.argv[3]) % published % slots * step + 64
sys.exit(memory[begin:begin + size] not in open(sys.argv[1], "rb").read())
PY
}
serve() {
  "$echolux" serve 'simulator:echoes?elements=16&waves=1&depth=15&rate=400' --name "$name" --slots 1024 --backend cpu >/dev/null &
  writer=$!
}

Xvfb -displayfd 4 4>"$folder/display" &
while [ ! -s "$folder/display" ]; do sleep 0.1; done
export DISPLAY=:$(cat "$folder/display")
parts=(recorder writer window) total=0 early=0
for n in $(seq "$times"); do
  part=${parts[$((n % 3))]} file=$folder/$n.echolux.h5 window=
  serve
  until [ -s "/dev/shm/echolux-$name" ]; do sleep 0.05; done
  "$echolux" record "shared:$name" -o "$file" --backend cpu >"$folder/record" &
  recorder=$!
  if [ $part = window ]; then
    "$echolux" view --source "shared:$name" --backend cpu >/dev/null &
    window=$!
    sleep 1
  fi
  sleep "$(printf '0.%03d' $((250 + RANDOM % 700)))"
  kill -9 "${!part}"
  wait "${!part}" || true
  case $part in
    window) kill -0 "$writer" || fail "The writer is gone." ;;
    writer) sleep 0.3; cp "/dev/shm/echolux-$name" "$folder/memory"; serve ;;
  esac
  sleep 1
  kill -TERM "$recorder" 2>/dev/null || true
  wait "$recorder" || [ $part = recorder ] || fail "The recorder fails."
  if [ -s "$file" ]; then
    frames=$(frames_in "$file") || fail "The file does not open."
    raw "$file" || fail "Not all $frames frames are readable."
    total=$((total + frames))
    if [ $part = writer ]; then
      holds "$file" "$folder/memory" -1 || fail "Its last frame is not among the $frames recorded ones."
      holds "$file" "/dev/shm/echolux-$name" 0 || fail "The first frame of the next writer is not among the $frames recorded ones."
    fi
    [ $part = recorder ] || grep -q 'missing 0, lost at the source 0' "$folder/record" || fail "$(cat "$folder/record")"
  elif [ $part = recorder ]; then
    early=$((early + 1))
  else
    fail "No file."
  fi
  kill -9 "$writer"
  wait "$writer" || true
  rm -f "$file"* "$folder/raw.npz" "/dev/shm/echolux-$name"
done
echo "$times kills in turn, $early of them before a file was there: all files open, $total frames in them are readable, none that was published is missing."
