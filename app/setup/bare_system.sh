# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced by scripts that try something in a fresh system. Needs root and debootstrap.
[ "$(id -u)" -eq 0 ] || { echo "Run this as root: it installs a system in a folder." >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "Install debootstrap first." >&2; exit 2; }

# The mirror that apt uses most here.
usual_mirror() { apt-get indextargets --format '$(REPO_URI)' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }'; }

guest=$(mktemp -d)
chmod 755 "$guest"
trap 'rm -rf --one-file-system "$guest"' EXIT

# install_guest RELEASE MIRROR PACKAGES: a bare system in $guest, with the network of this one and no services.
install_guest() {
  debootstrap --variant=minbase --include="$3" "$1" "$guest" "$2"
  cp /etc/resolv.conf "$guest/etc/resolv.conf"
  apt-config dump | grep -i '^Acquire::[a-z]*::Proxy' >"$guest/etc/apt/apt.conf.d/90proxy" || true
  printf '#!/bin/sh\nexit 101\n' >"$guest/usr/sbin/policy-rc.d"
  chmod +x "$guest/usr/sbin/policy-rc.d"
  mkdir -p "$guest/dev/shm"
}

# in_guest COMMAND...: runs COMMAND in the guest. Its mounts and processes end with it. It sees the folder $guest_sees of
# this system, if that is set.
in_guest() {
  guest_sees=${guest_sees:-} unshare --mount --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/dev/shm"
    if [ -n "$guest_sees" ]; then
      mkdir -p "$1$guest_sees"
      mount --bind "$guest_sees" "$1$guest_sees"
      mount -o remount,bind,ro "$1$guest_sees"
    fi
    exec chroot "$@"' in_guest "$guest" "$@"
}
