#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# package.sh RELEASE FOLDER [MIRROR]: installs the packages of FOLDER in a bare system of that release (bookworm, trixie, ...)
# without build tools, opens the bundled recording on a virtual screen there, and prints the time from `apt install` to
# the first picture. Then it installs libecholux-dev and builds the example plugin. Needs root and debootstrap.
# The screenshot stays in the current folder.
set -euo pipefail
release=${1:?package.sh RELEASE FOLDER [MIRROR]} packages=${2:?package.sh RELEASE FOLDER [MIRROR]}
mirror=${3:-$(apt-get indextargets --format '$(REPO_URI)' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')}
guest=$(mktemp -d)
chmod 755 "$guest"
trap 'rm -rf --one-file-system "$guest"' EXIT

# in_guest COMMAND: its mounts and processes end with it.
in_guest() {
  unshare --mount --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/dev/shm"
    exec chroot "$1" bash -euc "$2"' in_guest "$guest" "$1"
}

debootstrap --variant=minbase --include=ca-certificates "$release" "$guest" "$mirror" >/dev/null
cp /etc/resolv.conf "$guest/etc/resolv.conf"
apt-config dump | grep -i '^Acquire::[a-z]*::Proxy' >"$guest/etc/apt/apt.conf.d/90proxy" || true
printf '#!/bin/sh\nexit 101\n' >"$guest/usr/sbin/policy-rc.d" # no services
chmod +x "$guest/usr/sbin/policy-rc.d"
mkdir -p "$guest/dev/shm" "$guest/packages"
cp "$packages"/*.deb "$guest/packages"
install='env DEBIAN_FRONTEND=noninteractive apt-get -q -y'
in_guest "$install update; $install install --no-install-recommends xvfb xauth" >/dev/null
[ ! -e "$guest/usr/bin/c++" ] || { echo "The bare system has a compiler." >&2; exit 1; }

started=$SECONDS
in_guest "$install install /packages/echolux_*.deb" >/dev/null
echo "apt install: $((SECONDS - started)) s"
in_guest 'echolux --version
  recording=/usr/share/echolux/recordings/phantom_cine.echolux.h5
  xvfb-run -a echolux view $recording --exit-after 3 --screenshot /picture.png --stats /stats.json
  LD_DEBUG=libs echolux help 2>&1 | grep -m 1 "calling init.*libecholux_gpu"'
echo "From apt install to a window that played for 3 s: $((SECONDS - started)) s"
cp "$guest/picture.png" "echolux-$release.png"

in_guest "$install install --no-install-recommends /packages/libecholux-dev_*.deb g++ cmake make pkg-config" >/dev/null
in_guest 'cp -r /usr/share/echolux/plugins/lee_filter /plugin; cd /plugin
  cmake -B build >/dev/null; cmake --build build >/dev/null; ctest --test-dir build | tail -n 3'
