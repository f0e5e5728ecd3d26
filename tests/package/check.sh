#!/bin/bash
# Takes the packages of a folder apart and tries what is in them, from the place where they were taken apart.
#
#   tests/package/check.sh FOLDER            without installing
#   tests/package/check.sh FOLDER --root     installed by apt in a new Debian of its own (mmdebstrap, as root)
set -euo pipefail
folder=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

fail() {
  echo "tests/package/check.sh: $*" >&2
  exit 1
}

if [[ ${2-} == --root ]]; then
  mmdebstrap --variant=minbase --quiet bookworm "$place/root"
  cp "$folder"/*.deb "$place/root/tmp/"
  chroot "$place/root" sh -c 'apt-get update -qq && apt-get install -qq -y /tmp/quadrille_*.deb /tmp/libquadrille-dev_*.deb /tmp/python3-quadrille_*.deb'
  chroot "$place/root" quadrille run alltoall 'torus(4,4)' --quiet || fail "the installed program does not run"
  chroot "$place/root" quadrille --version
  chroot "$place/root" python3 -c 'import quadrille; print(quadrille.plan("alltoall", "torus(4,4)"))' ||
    fail "the installed Python package does not work"
  chroot "$place/root" apt-get remove -qq -y quadrille libquadrille-dev python3-quadrille
  [[ -z $(chroot "$place/root" find / -xdev -name '*quadrille*' -not -path '/tmp/*' -not -path '/var/*' -not -path '/proc/*') ]] ||
    fail "something is left after removal"
  echo "installed, run and removed in a new Debian"
  exit 0
fi

for package in "$folder"/*.deb; do
  dpkg-deb --extract "$package" "$place"
  dpkg-deb --field "$package" Package Version Depends
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
