#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh app|tests|all: installs missing packages of packages.txt: those for the program, those for the program
# and the tests, or all. If nothing is missing, it uses neither the network nor root rights.
set -euo pipefail
who=${1:-app}
list=$(dirname "${BASH_SOURCE[0]}")/packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system: install the packages listed in $list yourself." >&2
  exit 0
fi

mapfile -t wanted < <(awk -v who="$who" '
  BEGIN { needs["app"] = 1; needs["tests"] = who != "app"; needs["all"] = who == "all" }
  !/^#/ && NF && needs[$2] { print $1 }' "$list")

# installed NAMES...: prints those that are installed.
installed() { dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null | awk '/^ii/ { print $2 }' || true; }

# choose: replaces each A|B in wanted by the first name that this release has, or by A while the package lists are missing.
choose() {
  local each alternative known chosen=()
  known=$(printf '%s\n' "${wanted[@]}" | grep -F '|' | tr '|' '\n' |
    xargs -r apt-cache show --no-all-versions 2>/dev/null | awk '/^Package: / { print $2 }' || true)
  for each in "${wanted[@]}"; do
    for alternative in ${each//|/ } ${each%%|*}; do
      [ "$alternative" != "$each" ] && ! grep -qxF "$alternative" <<<"$known" || break
    done
    chosen+=("$alternative")
  done
  mapfile -t missing < <(comm -23 <(printf '%s\n' "${chosen[@]}" | sort -u) <(installed "${chosen[@]}" | sort))
}
choose
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
    -o Acquire::Retries=3 -o Acquire::http::Timeout=60 -o Acquire::Languages=none "$@" </dev/null >&2
}

# Retries: networks stall, mirrors change during a download, and a fresh machine may be updating itself.
tries=5
for ((try = 1; try <= tries; ++try)); do
  apt update || true
  choose
  echo "Installing ${missing[*]} (try $try of $tries)" >&2
  apt install -y --no-install-recommends "${missing[@]}" && exit 0
  [ $try = $tries ] || sleep $((15 * try))
done
echo "apt-get could not install ${missing[*]}: see its message above." >&2
exit 2
