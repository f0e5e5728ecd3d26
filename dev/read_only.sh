#!/bin/bash
# A launcher of compilers: the source is read, with all errors and warnings, and its object file left empty.
#
#   dev/read_only.sh clang++ OPTION... -o OBJECT -c SOURCE
set -euo pipefail
"$@" -fsyntax-only
while [ $# -gt 1 ]; do
  if [ "$1" = -o ]; then : >"$2"; fi
  shift
done
