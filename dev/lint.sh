#!/bin/bash
# clang-format over every source of ours; clang-tidy over the sources that are not tests; and every header by itself.
# Runs all three, then fails if any found something.
#
#   dev/lint.sh BUILD_FOLDER      a folder configured with clang: its compile_commands.json is what is read
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=$(nproc)
status=0

dev/check_format.sh || status=1

mapfile -t headers < <(find src/quadrille -name '*.h' -not -path '*/mpi/*' | sort)
echo "headers that must compile alone: ${#headers[@]}"
syntax=(clang++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only -Wno-pragma-once-outside-header -Isrc)
if [[ ${LINT_TIDY:-1} == 0 ]]; then
  # In a hurry the standard library is parsed once, so that what a header lacks of it is not seen, what it lacks of ours is.
  parsed=$(mktemp -d)
  trap 'rm -rf "$parsed"' EXIT
  printf '#include <%s>\n' algorithm array atomic bit chrono cmath compare cstddef cstdint cstdio functional iosfwd iterator limits map \
    memory mutex numeric optional ostream set span sstream stdexcept string string_view thread tuple type_traits unordered_map \
    utility variant vector >"$parsed/std.h"
  clang++ -std=c++20 -Wall -Wextra -Isrc -x c++-header "$parsed/std.h" -o "$parsed/std.h.pch" || exit 1
  syntax+=(-include-pch "$parsed/std.h.pch")
fi
printf '%s\0' "${headers[@]}" | xargs -0 -n 8 -P "$jobs" "${syntax[@]}" -x c++ || status=1

# clang-tidy is two thirds of the time; LINT_TIDY=0 leaves it to whoever runs `make lint` by hand.
if [[ ${LINT_TIDY:-1} == 0 ]]; then exit "$status"; fi
mapfile -t tidy < <(grep -o '"file": "[^"]*"' "$build/compile_commands.json" | cut -d'"' -f4 |
  grep "/src/quadrille/" | grep -vE '\.(test|perf|fuzz)\.cc$' | sort -u)
echo "clang-tidy: ${#tidy[@]} files"
# Its counts of what it kept to itself are dropped; findings are not.
printf '%s\0' "${tidy[@]}" | xargs -0 -n 1 -P "$jobs" clang-tidy -p "$build" --quiet \
  2> >(grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? (generated|treated)' >&2) || status=1
exit "$status"
