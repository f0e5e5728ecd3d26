#!/bin/bash
# Installs, by apt, the packages that a set of tasks needs and that are missing. Debian 12, as root or with sudo.
# Does nothing, quickly, when nothing is missing.
#
#   dev/setup.sh build            the library and the program
#   dev/setup.sh build test       ... and what `make test` needs
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build pkg-config ccache
           libfmt-dev nlohmann-json3-dev libpugixml-dev libboost-graph-dev
           libcadical-dev libmetis-dev libbliss-dev libgmp-dev zlib1g-dev"
  [test]="libgtest-dev libgmock-dev librapidcheck-dev python3 gnuplot-nox librsvg2-bin
          openmpi-bin libopenmpi-dev mpich libmpich-dev gfortran coinor-libcbc-dev libsimgrid-dev
          libxml2-utils graphviz python3-networkx protobuf-compiler fish zsh"
  [python]="pybind11-dev python3-dev python3-numpy python3-networkx python3-setuptools mypy"
  [bench]="libbenchmark-dev"
  [clang]="clang libclang-rt-14-dev llvm"
  [package]="mmdebstrap"
  [lint]="clang-format clang-tidy"
  [viewer]="chromium firefox-esr fonts-dejavu-core"
)
# A node that came otherwise is as good, and newer than Debian's.
command -v node >/dev/null && command -v npm >/dev/null || packages[viewer]+=" nodejs npm"

if [[ $# -eq 0 ]]; then
  echo "usage: dev/setup.sh SET...   (sets: $(printf '%s\n' "${!packages[@]}" | sort | xargs))" >&2
  exit 2
fi

wanted=()
for set in "$@"; do
  if [[ -z "${packages[$set]-}" ]]; then
    echo "dev/setup.sh: no set is called '$set' (sets: $(printf '%s\n' "${!packages[@]}" | sort | xargs))" >&2
    exit 2
  fi
  read -r -d '' -a names <<<"${packages[$set]}" || true
  wanted+=("${names[@]}")
done

if ! command -v dpkg-query >/dev/null; then
  echo "dev/setup.sh: this is not Debian; install what corresponds to: ${wanted[*]}" >&2
  exit 0
fi

# A virtual package (pkg-config, on later releases) is provided by another one: ask for what is provided, too.
installed=$(dpkg-query -W -f='${db:Status-Abbrev}|${Package}, ${Provides}\n' | sed -n 's/^ii *|//p' |
  tr ',' '\n' | sed 's/ *(.*//; s/ //g' | sort -u)
missing=()
for name in "${wanted[@]}"; do
  grep -qxF -- "$name" <<<"$installed" || missing+=("$name")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "dev/setup.sh: installing ${missing[*]}"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "dev/setup.sh: neither root nor sudo; as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
