#!/bin/bash
# Writes the pages that the program prints about itself: the catalogs know, so nobody writes it twice.
#
#   dev/regen_docs.sh PROGRAM [FOLDER [PAGE...]]      FOLDER is docs/ unless given; a test gives another and compares
set -euo pipefail
program=$1
folder=${2:-$(dirname "$0")/../docs}
pages=("${@:3}")
[[ ${#pages[@]} -gt 0 ]] || pages=(algorithms bibliography topologies rules cli claims)

for page in "${pages[@]}"; do
  "$program" docs "$page" >"$folder/$page.md.new"
  mv "$folder/$page.md.new" "$folder/$page.md"
done

# The README's pictures; that of gnuplot where it is there. Nobody compares them: fonts differ.
[[ $# -lt 2 ]] || exit 0
pictures=$folder/pictures
"$program" draw allgather "torus(4,4)" --width 500 --quiet -o "$pictures/allgather_torus_4_4.svg"
pod='edges("gpu0 leaf0, gpu1 leaf0, gpu2 leaf0, gpu3 leaf1, gpu4 leaf1, gpu5 leaf1, leaf0 leaf1 2";"switches leaf*")'
"$program" draw alltoall "$pod" --load --quiet -o "$pictures/pod_loads.svg"
if command -v gnuplot >/dev/null; then
  "$program" compare allreduce "torus(8,8)" --bytes 64:64MiB:4 --quiet --plot "$pictures/allreduce_by_size.svg"
fi
