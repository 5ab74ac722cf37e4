#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# package.sh RELEASE FOLDER [MIRROR]: installs the packages of FOLDER in a bare system of that release (bookworm, trixie, ...)
# without build tools: first python3-echolux, which images a recording without Qt; then echolux, which opens the bundled
# recording on a virtual screen. It prints the time from `apt install` to the first picture. Last it installs libecholux-dev
# and builds the example plugin. With CUDA one package takes the place of all. Needs root and debootstrap. The screenshot
# stays in the current folder.
set -euo pipefail
release=${1:?package.sh RELEASE FOLDER [MIRROR]} packages=${2:?package.sh RELEASE FOLDER [MIRROR]}
. "$(dirname "${BASH_SOURCE[0]}")/../app/setup/bare_system.sh"
mirror=${3:-$(usual_mirror)}
run() { in_guest bash -euc "$1"; }

install_guest "$release" "$mirror" ca-certificates >/dev/null
mkdir "$guest/packages"
cp "$packages"/*.deb "$guest/packages"
install='env DEBIAN_FRONTEND=noninteractive apt-get -q -y'
run "$install update; $install install --no-install-recommends xvfb xauth" >/dev/null
[ ! -e "$guest/usr/bin/c++" ] || { echo "The bare system has a compiler." >&2; exit 1; }

if ls "$packages"/python3-echolux_*.deb >/dev/null 2>&1; then
  run "$install install --no-install-recommends /packages/libecholux0_*.deb /packages/python3-echolux_*.deb" >/dev/null
  cp "$(dirname "${BASH_SOURCE[0]}")/../testdata/phantom_cine.echolux.h5" "$guest/cine.h5"
  run 'if dpkg -l | grep -i qt6; then exit 1; fi
    python3 -c "import echolux; cine = echolux.open(\"/cine.h5\"); print(echolux.Pipeline(None, cine).run(cine[0]))"'
fi

started=$SECONDS
run "$install install $(cd "$packages" && ls echolux*.deb | grep -v ^echolux-bench_ | sed 's|^|/packages/|')" >/dev/null
echo "apt install: $((SECONDS - started)) s"
run 'echolux --version
  recording=/usr/share/echolux/recordings/phantom_cine.echolux.h5
  xvfb-run -a echolux view $recording --exit-after 3 --screenshot /picture.png --stats /stats.json
  [ -s /picture.png ]' # NOTE: a last command becomes the process 1 of the system, to which Xvfb does not report
echo "From apt install to a window that played for 3 s: $((SECONDS - started)) s"
cp "$guest/picture.png" "echolux-$release.png"

# A package with CUDA has the benches.
if ls "$packages"/echolux-bench_*.deb >/dev/null 2>&1; then
  run 'echolux bench oct 2>&1 | grep "package echolux-bench"'
  run "$install install /packages/echolux-bench_*.deb" >/dev/null
fi
run 'echolux bench oct --problem O3 --repeat 1 --backend cpu'

ls "$packages"/libecholux-dev_*.deb >/dev/null 2>&1 || exit 0 # a package with CUDA has none
run 'LD_DEBUG=libs echolux help 2>&1 | grep -m 1 "calling init.*libecholux_gpu"'
run "$install install --no-install-recommends /packages/libecholux-dev_*.deb g++ cmake make pkg-config" >/dev/null
run 'cp -r /usr/share/echolux/plugins/lee_filter /plugin; cd /plugin
  cmake -B build >/dev/null; cmake --build build >/dev/null; ctest --test-dir build | tail -n 3'
