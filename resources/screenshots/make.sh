#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make.sh PROGRAM [FOLDER]: remakes the screenshots of the README from bundled recordings, by the window of PROGRAM on a
# virtual display and the CPU, in FOLDER (default: this one). Look at them before they are committed.
set -euo pipefail
program=$(realpath "${1:?make.sh PROGRAM [FOLDER]}") here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(realpath "${2:-$here}") root=${here%/resources/*}
. "$root/app/setup/virtual_display.sh"
home=$(mktemp -d) # settings of the user do not count
trap 'rm -rf "$home"' EXIT

# shoot NAME RECORDING ARGS...: the window with RECORDING. A frame that stands still looks the same each time.
shoot() {
  XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home on_virtual_display "$program" -q view "$root/testdata/$2" --backend cpu --size 1280x800 \
    --exit-after 5 --force --screenshot "$folder/$1.png" "${@:3}"
}

shoot window phantom_cine.echolux.h5 --command 'playback.frame 19' --command 'views.look {"picked": -0.0069}'
shoot graph phantom_cine.echolux.h5 --pipeline compounding --command view.docks.graph --command 'playback.frame 13'
shoot oct_volume retina_volume.echolux.h5 --command 'playback.frame 20' --command 'views.look {"mean": true, "depth_cue": 0.5}'
