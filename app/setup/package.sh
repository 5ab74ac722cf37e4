#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# package.sh RELEASE [cuda] [MIRROR]: builds the Debian packages for that release (bookworm, trixie, ...) in a bare system
# that it sets up itself, from a clone of the committed tree. They are left in build/packages/RELEASE, with the log of the
# build. `cuda` builds echolux-cuda with the nvcc of this machine, in build/packages/RELEASE-cuda; that takes hours.
# Needs root and debootstrap; the default of MIRROR is the mirror that apt uses here. JOBS sets how many compilers run, and
# DEFINES what CMake is told besides: -DCMAKE_CUDA_ARCHITECTURES=90-real for one kind of card, or
# -DECHOLUX_PACKAGE_CUDA_RUNTIME=ON for a package that needs none of NVIDIA's.
set -euo pipefail
release=${1:?package.sh RELEASE [cuda] [MIRROR]}
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
preset=package results=$root/build/packages/$release path=$PATH
if [ "${1:-}" = cuda ]; then
  shift
  nvcc=$(command -v nvcc) || { echo "nvcc is not on the path." >&2; exit 2; }
  nvcc=$(realpath "$nvcc")
  export guest_sees=${nvcc%/bin/nvcc}
  preset=package-cuda results+=-cuda path=$guest_sees/bin:$PATH
fi
. "$root/app/setup/bare_system.sh"
mirror=${1:-$(usual_mirror)}

log=$results/build.log
mkdir -p "$results"
rm -f "$results"/*.deb
trap 'status=$?; rm -rf --one-file-system "$guest"; [ $status = 0 ] || echo "It failed; see $log" >&2' EXIT

install_guest "$release" "$mirror" ca-certificates,file >"$log"
git clone --quiet "file://$root" "$guest/echolux"
in_guest env "PATH=$path" bash -euc "cd /echolux
  app/setup/install.sh app
  cmake --preset $preset ${DEFINES:-}
  cmake --build build/$preset --parallel ${JOBS:-$(nproc)} --target package" >>"$log" 2>&1
cp "$guest/echolux/build/$preset"/*.deb "$results"
ls -l "$results"/*.deb
