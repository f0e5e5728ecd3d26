#!/bin/bash
# Takes the packages of a folder apart and tries what is in them, from the place where they were taken apart.
#
#   tests/package/check.sh FOLDER            without installing
#   tests/package/check.sh FOLDER --root     installed by apt in a new Debian of its own (mmdebstrap, as root); 77: not here
set -euo pipefail
folder=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
  echo "tests/package/check.sh: $*" >&2
  exit 1
}

# Runs a command in the root; what it printed is shown if it fails.
in_root() {
  chroot "$place/root" "$@" >"$place/log" 2>&1 || {
    cat "$place/log" >&2
    fail "in a new Debian: $*"
  }
}

if [[ ${2-} == --root ]]; then
  # 77: there is no place for it here, without root's rights or without a Debian to take packages from.
  if ! { [[ $EUID -eq 0 ]] && mmdebstrap --variant=minbase --quiet bookworm "$place/root" && chroot "$place/root" true; }; then
    echo "left out: no new Debian can be made here" >&2
    exit 77
  fi
  cp "$folder"/*.deb "$place/root/tmp/"
  packages=()
  for package in "$folder"/*.deb; do packages+=("$(dpkg-deb --field "$package" Package)"); done
  in_root apt-get update -qq
  in_root sh -c 'apt-get install -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 /tmp/*.deb openmpi-bin'
  in_root quadrille run alltoall 'torus(4,4)' --quiet
  in_root quadrille --version
  in_root sh -c "quadrille view alltoall 'torus(4,4)' -o /tmp/page.html && grep -q '<script' /tmp/page.html"
  in_root python3 -c 'import quadrille; assert quadrille.plan("alltoall", "torus(4,4)").steps == 8'
  in_root env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 4 quadrille-mpi run alltoall 'ring(4)'
  in_root sh -c 'man_page=$(dpkg -L quadrille | grep -m1 "man1/quadrille.1"); test -s "$man_page"'
  in_root apt-get remove -qq -y -o Dpkg::Use-Pty=0 "${packages[@]}"
  [[ -z $(chroot "$place/root" find / -xdev -name '*quadrille*' -not -path '/tmp/*' -not -path '/var/*' -not -path '/proc/*') ]] ||
    fail "something is left after removal"
  echo "installed, run and removed in a new Debian: ${packages[*]}"
  exit 0
fi

for package in "$folder"/*.deb; do
  dpkg-deb --extract "$package" "$place"
  dpkg-deb --field "$package" Package Version Depends
  rights=$place/usr/share/doc/$(dpkg-deb --field "$package" Package)/copyright
  grep -q '^License: ' "$rights" || fail "$package does not say whose it is"
done
PATH=$place/usr/bin:$PATH
quadrille --version
quadrille run alltoall 'torus(4,4)' --quiet
man_pages=("$place"/usr/share/man/man1/quadrille*.1*)
[[ ${#man_pages[@]} -gt 10 ]] || fail "manual pages are missing"
for script in bash-completion/completions/quadrille zsh/vendor-completions/_quadrille fish/vendor_completions.d/quadrille.fish; do
  [[ -s $place/usr/share/$script ]] || fail "$script is missing"
done
bash -n "$place/usr/share/bash-completion/completions/quadrille"
library=$(find "$place/usr/lib" -name libquadrille.a)
[[ -n $library ]] || fail "the library is missing"
if compgen -G "$place/usr/lib/*/libquadrille_mpi*.so" >/dev/null || compgen -G "$place/usr/lib/libquadrille_mpi*.so" >/dev/null; then
  grep -q quadrille_mpi "$place/usr/include/quadrille_mpi.h" || fail "quadrille_mpi.h is missing"
  quadrille-run --help >/dev/null || fail "quadrille-run does not run"
fi
if compgen -G "$folder/python3-quadrille_*.deb" >/dev/null; then
  PYTHONPATH=$place/usr/lib/python3/dist-packages /usr/bin/python3 -c \
    'import quadrille; assert quadrille.plan("alltoall", "torus(4,4)", ports="all").optimal' || fail "the Python package does not work"
fi
echo "the packages hold what they should, and the program runs"
