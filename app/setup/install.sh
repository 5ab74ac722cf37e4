#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh app|tests: installs the packages of packages.txt that are missing; with `app`, without
# those that only tests need. Touches neither network nor privileges where nothing is missing.
set -euo pipefail
who=${1:-app}
list=$(dirname "${BASH_SOURCE[0]}")/packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system: install what $list names, by your own means." >&2
  exit 0
fi

mapfile -t wanted < <(awk -v who="$who" '!/^#/ && NF && (who == "tests" || $2 == "app") { print $1 }' "$list")
present=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null | awk '/^ii/ { print $2 }' || true)
mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) <(sort <<<"$present"))
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing: ${missing[*]}; install them as root, or install sudo." >&2
    exit 2
  fi
  as_root=(sudo)
  sudo -v
fi
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=3 -o Acquire::http::Timeout=60 "$@" </dev/null >&2
}

# Networks stall, mirrors change under one, and a fresh machine may be updating itself.
tries=5
for ((try = 1; try <= tries; ++try)); do
  echo "Installing ${missing[*]} (try $try of $tries)" >&2
  apt update || true
  apt install -y --no-install-recommends "${missing[@]}" && exit 0
  [ $try = $tries ] || sleep $((15 * try))
done
echo "apt-get could not install ${missing[*]}: see its message above." >&2
exit 2
