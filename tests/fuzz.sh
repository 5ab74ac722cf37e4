#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh [SECONDS [TARGET...]]: fuzzes each target, or those named, for SECONDS each (60), by clang 16 and libFuzzer with
# AddressSanitizer and UBSan. tests/fuzz/targets.hpp lists the targets: our own parsers. HDF5 files are left out: what the
# library does with damaged ones is not ours, and the reader process is there for it. What parses nothing is not instrumented
# (tests/fuzz/CMakeLists.txt). Seeds are tests/fuzz/corpus, bundled files, and small files that the program of build/release, or ECHOLUX,
# writes in every format that it can; words are the texts of the sources. What is found lies in build/fuzz/found; inputs that
# reached new code stay in build/fuzz/corpus for the next time. A find that is mended goes to tests/fuzz/corpus/TARGET, which
# the tests read. Ends with 1 where something was found.
# fuzz.sh --changed COMMIT: the targets whose sources changed since COMMIT, for 60 s each, but 180 s in all; without a history
# that tells, all, for 20 s each.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Targets, each with the folders that it reads by.
declare -A reads=(
  [answer]='app/dataset/guarded app/dataset/frames'
  [array]='app/network app/live app/dataset/formats/pictures app/dataset/sidecar'
  [calibration]='app/dataset/calibration app/toml'
  [described]='app/dataset/sidecar app/dataset/frames app/toml'
  [device]='app/prediction app/toml'
  [measurements]='app/measure app/toml'
  [message]='app/network app/live'
  [octproz]='app/dataset/formats/octproz.cpp'
  [pipeline]='app/pipeline app/toml'
  [recording]='app/dataset/container app/dataset/formats app/dataset/open.cpp'
  [shared]='app/live app/dataset/sidecar'
)
mapfile -t targets < <(printf '%s\n' "${!reads[@]}" | sort)

if [ "${1:-}" = --changed ]; then
  if git rev-parse --verify --quiet "$2^{commit}" >/dev/null; then
    changed=()
    for target in "${targets[@]}"; do
      # shellcheck disable=SC2086 # folders are words
      git diff --quiet "$2" -- ${reads[$target]} "tests/fuzz/${target}_fuzz.cpp" || changed+=("$target")
    done
    [ ${#changed[@]} -gt 0 ] || { echo "No parser has changed."; exit 0; }
    set -- $((${#changed[@]} > 3 ? 180 / ${#changed[@]} : 60)) "${changed[@]}"
  else
    set -- 20
  fi
fi
seconds=${1:-60}
[ $# -le 1 ] || targets=("${@:2}")
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --parallel "$(nproc)" --target "${targets[@]/#/fuzz_}"
corpus=build/fuzz/corpus found=build/fuzz/found program=${ECHOLUX:-build/release/app/echolux} shared=../shared/formats
mkdir -p "$found"
# seed TARGET FILES...: those of at most 256 kB, which the fuzzer reads to the end.
seed() { find "${@:2}" -type f -size -257k -exec cp -n {} "$corpus/$1/" \; 2>/dev/null || true; }

# small FOLDER: little recordings of all kinds.
small() {
  [ -x "$program" ] && [ ! -d "$1" ] || return 0
  mkdir -p "$1"
  local take=$1/take.echolux.h5 ending
  "$program" simulate plane-wave --elements 4 --angles 0 --depth 4 --frames 2 -o "$take" --force >/dev/null
  for ending in npz mat npy; do
    "$program" export "$take" --output-of recording -o "$1/raw.$ending" --backend cpu --force >/dev/null 2>&1 || true
  done
  for ending in npz npy mat tif png nii nii.gz nrrd mha csv; do
    "$program" export "$take" --pipeline rf -o "$1/image.$ending" --backend cpu --force >/dev/null 2>&1 || true
  done
}
# found_by TARGET: what its log says of the find, and the input as text where it is small, because a machine of CI keeps no file.
found_by() {
  echo "fuzz_$1:"
  grep -aE 'ERROR|SUMMARY|runtime error|^ +#[0-9]+ .* in echolux|Test unit written' "$found/$1.log" | head -n 20 || true
  find "$found" -name "$1-*" -newer "build/fuzz/$1.dict" -size -5k -exec sh -c 'gzip -c "$1" | base64 -w 0 && echo' - {} \;
}
small build/fuzz/small
finds=''
for target in "${targets[@]}"; do
  mkdir -p "$corpus/$target"
  seed "$target" "tests/fuzz/corpus/$target"
  case $target in
    recording) seed recording build/fuzz/small $shared/hostile $shared/samples ;;
    described) seed described resources/sidecars $shared/hostile/*.toml ;;
    calibration) seed calibration resources/sidecars $shared/samples ;;
    pipeline) seed pipeline resources/pipelines $shared/hostile/*.toml ;;
    measurements) seed measurements resources/phantoms ;;
    device) seed device resources/devices ;;
  esac
  # shellcheck disable=SC2086 # folders are words
  grep -rhoE --include='*.cpp' '"[A-Za-z0-9_]{3,24}"' ${reads[$target]} | sort -u >"build/fuzz/$target.dict"
  echo "fuzz_$target, $seconds s"
  ECHOLUX_READ_INSIDE=1 TMPDIR=/dev/shm UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=0 "build/fuzz/tests/fuzz/fuzz_$target" \
    "$corpus/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=262144 -artifact_prefix="$found/$target-" \
    -print_final_stats=1 -dict="build/fuzz/$target.dict" >"$found/$target.log" 2>&1 ||
    finds+=$(found_by "$target")$'\n'
  grep -aE 'stat::number_of_executed_units|cov:' "$found/$target.log" | tail -n 2 || true
done
[ -z "$finds" ] || { printf 'Found:\n%s' "$finds"; exit 1; }
