#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [ARGS]: installs what is missing, builds, and runs `echolux ARGS`; without arguments it opens
# the bundled recording. Without a display the window runs for ten seconds on a virtual one and leaves
# a screenshot and its readouts in the current folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
"$root/app/setup/install.sh" app
. "$root/app/setup/virtual_display.sh"

# A build that was configured without a card has no device code worth running.
card_is_new() { grep -qx 'ECHOLUX_CARD_FOUND:INTERNAL=OFF' "$build/CMakeCache.txt" && nvidia-smi -L >/dev/null 2>&1; }

# Only the program's own output goes to stdout.
if [ ! -f "$build/build.ninja" ] || card_is_new; then
  (cd "$root" && cmake --preset release) >&2
fi
targets=(echolux)
[ "${1:-}" != bench ] || targets+=(echolux_bench)
if ! log=$(cmake --build "$build" --target "${targets[@]}" 2>&1); then
  printf '%s\n' "$log" >&2
  exit 1
fi

[ $# -gt 0 ] || set -- view "$root/testdata/phantom_cine.echolux.h5"

is_help() { case " $* " in *" --help "* | *" -h "*) return 0 ;; *) return 1 ;; esac; }
if [ "$1" != view ] || is_help "$@" || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$build/app/echolux" "$@"
fi

has_option() { case " ${*:2} " in *" $1 "* | *" $1="*) return 0 ;; *) return 1 ;; esac; }
left=()
add_output() {
  has_option "$1" "${view[@]}" && return
  view+=("$1" "$2")
  left+=("$2")
}
view=("$@")
has_option --exit-after "$@" || view+=(--exit-after 10)
add_output --screenshot echolux-screenshot.png
add_output --stats echolux-stats.json
# Files of an earlier run may be replaced; files that the user named may not.
[ ${#left[@]} -lt 2 ] || has_option --force "$@" || view+=(--force)
echo "There is no display: running for ten seconds on a virtual one." >&2
on_virtual_display "$build/app/echolux" "${view[@]}"
for file in "${left[@]}"; do echo "Left $PWD/$file"; done
