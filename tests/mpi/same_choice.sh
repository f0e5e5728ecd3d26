#!/usr/bin/env bash
# same_choice.sh QUADRILLE QUADRILLE_MPI START LINES: runs every line with both programs, and compares the algorithm
# that each says it ran, and the steps.
set -u -f
quadrille=$1 mpi=$2 start=$3 lines=$4
said() { grep -E '^  "(algorithm|steps)":' | sed 's/^ *//' | tr -d '\n'; }
count=0 different=0
while read -r ranks words; do
  case $ranks in ''|'#'*) continue ;; esac
  here=$("$quadrille" run $words --json 2>&1 | said)
  there=$("$start" -n "$ranks" "$mpi" run $words --json 2>&1 < /dev/null | said)
  count=$((count + 1))
  if [ -z "$here" ] || [ "$here" != "$there" ]; then
    different=$((different + 1))
    printf 'run %s\n  quadrille:     %s\n  quadrille-mpi: %s\n' "$words" "${here:-nothing}" "${there:-nothing}"
  fi
done < "$lines"
echo "$count command lines, $different different"
[ "$count" -gt 0 ] && [ "$different" -eq 0 ]
