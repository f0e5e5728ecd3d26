#!/bin/bash
# Writes the pages that the program prints about itself: the catalogs know, so nobody writes it twice.
#
#   dev/regen_docs.sh PROGRAM [FOLDER]      FOLDER is docs/ unless given; a test gives another and compares
set -euo pipefail
program=$1
folder=${2:-$(dirname "$0")/../docs}

for page in algorithms bibliography topologies rules cli claims; do
  "$program" docs "$page" >"$folder/$page.md.new"
  mv "$folder/$page.md.new" "$folder/$page.md"
done
