#!/bin/bash
# Runs fuzz targets for a bounded time, each on a copy of its seeds, so that the tree stays as it is. What makes a
# target fail is left in BUILD_FOLDER/fuzz/NAME/ for a look, and to become a seed.
#
#   dev/fuzz.sh BUILD_FOLDER SECONDS [NAME...]      without a NAME: every target that was built
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
seconds=$2
shift 2
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for program in "$build"/fuzz_*; do
    if [ -x "$program" ]; then name=${program##*/}; names+=("${name#fuzz_}"); fi
  done
fi

status=0
for name in "${names[@]}"; do
  found="$build/fuzz/$name"
  corpus=$(mktemp -d)
  trap 'rm -rf "$corpus"' EXIT
  mkdir -p "$found"
  [ ! -d "$root/testdata/fuzz/$name" ] || cp -r "$root/testdata/fuzz/$name/." "$corpus"
  options=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=2560 -print_final_stats=1 -artifact_prefix="$found/")
  if [ -f "$root/testdata/fuzz/$name.dict" ]; then options+=(-dict="$root/testdata/fuzz/$name.dict"); fi
  echo "fuzz $name: $(find "$corpus" -type f | wc -l) seeds, $seconds s"
  if ! "$build/fuzz_$name" "${options[@]}" "$corpus" >"$found/log" 2>&1; then
    tail -n 60 "$found/log"
    status=1
  fi
  grep -E '^stat::(number_of_executed_units|peak_rss_mb)' "$found/log" || true
  rm -rf "$corpus"
done
exit "$status"
