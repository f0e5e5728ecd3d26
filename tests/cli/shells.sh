#!/bin/bash
# What shells offer, asked of the shells themselves: fish says what it would complete, zsh reads its script. One that is not
# installed is left out; without both there is nothing to test.
#
#   shells.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work PATH=$(dirname "$program"):$PATH
status=77

fail() {
  echo "shells.sh: $*" >&2
  exit 1
}

if command -v zsh >/dev/null; then
  quadrille completion zsh >_quadrille
  zsh -n _quadrille || fail "zsh cannot read its script"
  head -1 _quadrille | grep -q '^#compdef quadrille' || fail "zsh would not know what its script is for"
  status=0
fi

if command -v fish >/dev/null; then
  quadrille completion fish >quadrille.fish
  touch lab.graphml
  # offers WORDS EXPECTED: among what fish offers after the words
  offers() {
    local offered
    offered=$(fish -c "source quadrille.fish; complete -C'$1'" | cut -f1)
    grep -qxF -- "$2" <<<"$offered" || fail "fish offers after '$1': $offered; expected $2"
  }
  offers "quadrille pl" plan
  offers "quadrille plan allt" alltoallv
  offers "quadrille plan alltoall tor" torus
  offers "quadrille show la" lab.graphml
  offers "quadrille plan --switching " wormhole
  offers "quadrille plan --algorithm alltoall_to" alltoall_torus
  offers "quadrille export alltoall --to ms" msccl
  offers "quadrille verify --max" --max-findings
  status=0
fi
exit $status
