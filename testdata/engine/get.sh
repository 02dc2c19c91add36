#!/bin/sh
# get.sh DIR: fetches llama.cpp's server as Debian's unstable packages and
# unpacks them, with the C library that they need, into DIR/root. Nothing is
# installed and the machine's own package sources are left as they are: apt
# works on a state folder of its own, with the machine's mirror.
set -e
mkdir -p "$1"
dest=$(cd "$1" && pwd)
if [ -x "$dest/root/usr/bin/llama-server" ]; then exit 0; fi
codename=$(. /etc/os-release; echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $codename" | head -1)
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$dest/debs"
echo "deb $mirror sid main" >"$state/sources.list"
set -- -q -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=- \
  -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache" \
  -o Dir::State::status=/dev/null -o APT::Sandbox::User=root
apt-get "$@" update
cd "$dest/debs"
apt-get "$@" download llama.cpp-tools llama.cpp-tools-extra libllama0 libggml0 \
  libc6 libgcc-s1 libstdc++6 libgomp1 libssl3t64 zlib1g libzstd1
for deb in *.deb; do dpkg -x "$deb" "$dest/unpacked"; done
# The rename comes last, so that a broken download is fetched again.
mv "$dest/unpacked" "$dest/root"
