#!/bin/bash
# The generated pages in docs/ are what the program prints now; `make docs` writes them again.
#
#   docs_are_fresh.sh PROGRAM SOURCE_FOLDER [PAGE...]
set -euo pipefail
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$2"/dev/regen_docs.sh "$1" "$fresh" "${@:3}"
status=0
for page in "$fresh"/*.md; do
  diff -u "$2/docs/$(basename "$page")" "$page" || status=1
done
exit $status
