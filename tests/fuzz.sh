#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh [SECONDS [TARGET...]]: fuzzes each target, or those named (recording, described, calibration, pipeline,
# measurements, device, message), for SECONDS each (60), by clang 16 and libFuzzer with AddressSanitizer and UBSan. Seeds are
# the bundled recordings and small files that the program of build/release writes in every format that it can. What is found
# lies in build/fuzz/found; inputs that reached new code stay in build/fuzz/corpus for the next time. Ends with 1 where
# something was found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(recording described calibration pipeline measurements device message)
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --parallel "$(nproc)" --target "${targets[@]/#/fuzz_}"
corpus=build/fuzz/corpus found=build/fuzz/found program=build/release/app/echolux
mkdir -p "$found"
seed() { mkdir -p "$corpus/$1" && cp -n "${@:2}" "$corpus/$1/" 2>/dev/null || true; }

# small FOLDER: little recordings of all kinds.
small() {
  [ -x "$program" ] && [ ! -d "$1" ] || return 0
  mkdir -p "$1"
  local take=$1/take.echolux.h5 ending
  "$program" simulate plane-wave --elements 4 --angles 0 --depth 4 --frames 2 -o "$take" --force >/dev/null
  "$program" simulate oct --lines 4 --frames 2 --samples 64 -o "$1/oct.echolux.h5" --force >/dev/null 2>&1 || true
  for ending in npz mat hdf5 uff npy; do
    "$program" export "$take" --output-of recording -o "$1/raw.$ending" --backend cpu --force >/dev/null 2>&1 || true
  done
  for ending in npz npy mat tif png nii nii.gz nrrd mha hdf5 uff echolux.h5 csv; do
    "$program" export "$take" --pipeline rf -o "$1/image.$ending" --backend cpu --force >/dev/null 2>&1 || true
  done
}
small build/fuzz/small
for target in "${targets[@]}"; do
  mkdir -p "$corpus/$target"
  case $target in
    recording) seed recording build/fuzz/small/* ../shared/formats/hostile/* ../shared/formats/hdf5_cve/*.h5 ;;
    described) seed described resources/sidecars/*.toml ../shared/formats/hostile/*.toml ;;
    calibration) seed calibration resources/examples/*.toml ;;
    pipeline) seed pipeline resources/pipelines/* ;;
    measurements) seed measurements resources/phantoms/*.toml ;;
    device) seed device resources/devices/*.toml ;;
  esac
done
bad=0
for target in "${targets[@]}"; do
  echo "fuzz_$target, $seconds s"
  ECHOLUX_READ_INSIDE=1 UBSAN_OPTIONS=print_stacktrace=1 "build/fuzz/tests/fuzz/fuzz_$target" "$corpus/$target" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=262144 -artifact_prefix="$found/$target-" \
    -print_final_stats=1 >"$found/$target.log" 2>&1 || { bad=1; grep -E 'ERROR|SUMMARY|runtime error|Test unit written' "$found/$target.log"; }
  grep -E 'stat::number_of_executed_units|cov:' "$found/$target.log" | tail -n 2
done
exit $bad
