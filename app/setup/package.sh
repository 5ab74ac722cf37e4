#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# package.sh RELEASE [MIRROR]: builds the Debian packages for that release (bookworm, trixie, ...) in a bare system that it
# sets up itself, from a clone of the committed tree. They are left in build/packages/RELEASE, with the log of the build.
# Needs root and debootstrap; the default of MIRROR is the mirror that apt uses here. JOBS sets how many compilers run.
set -euo pipefail
release=${1:?package.sh RELEASE [MIRROR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/app/setup/bare_system.sh"
mirror=${2:-$(usual_mirror)}

results=$root/build/packages/$release
log=$results/build.log
mkdir -p "$results"
rm -f "$results"/*.deb
trap 'status=$?; rm -rf --one-file-system "$guest"; [ $status = 0 ] || echo "It failed; see $log" >&2' EXIT

install_guest "$release" "$mirror" ca-certificates >"$log"
git clone --quiet "file://$root" "$guest/echolux"
in_guest bash -euc "cd /echolux
  app/setup/install.sh app
  cmake --preset package
  cmake --build build/package --parallel ${JOBS:-$(nproc)} --target package" >>"$log" 2>&1
cp "$guest"/echolux/build/package/*.deb "$results"
ls -l "$results"/*.deb
