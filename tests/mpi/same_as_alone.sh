#!/usr/bin/env bash
# same_as_alone.sh QUADRILLE QUADRILLE_MPI START RANKS LINES: what ranks print on standard output that share a command is what the program
# prints alone, byte for byte, with the same exit status; so are the files that it writes (FILE stands for one).
set -u -f
quadrille=$1 mpi=$2 start=$3 ranks=$4 lines=$5
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
count=0 different=0
while read -r words; do
  case $words in ''|'#'*) continue ;; esac
  rm -f "$here"/file.*
  eval "set -- ${words//FILE/$here/file}"
  alone=$("$quadrille" "$@" 2>/dev/null </dev/null; echo "exit $?"; cat "$here"/file.* 2>/dev/null)
  rm -f "$here"/file.*
  together=$("$start" -n "$ranks" "$mpi" "$@" 2>/dev/null </dev/null; echo "exit $?"; cat "$here"/file.* 2>/dev/null)
  count=$((count + 1))
  if [ "$alone" != "$together" ]; then
    different=$((different + 1))
    printf '%s\n' "$words"
    diff <(printf '%s' "$alone") <(printf '%s' "$together") | head -n 20
  fi
done < "$lines"
echo "$count command lines, $different different"
[ "$count" -gt 0 ] && [ "$different" -eq 0 ]
