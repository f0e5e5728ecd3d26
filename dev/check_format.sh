#!/bin/bash
# clang-format over every source of ours; fails where it would change one.
#
#   dev/check_format.sh
set -uo pipefail
cd "$(dirname "$0")/.."

# Not from git: a tree that came as an archive is looked at, too.
mapfile -t sources < <(find src tests examples tools python \( -name '*.h' -o -name '*.cc' \) 2>/dev/null | sort)
echo "clang-format: ${#sources[@]} files"
printf '%s\0' "${sources[@]}" | xargs -0 -n 16 -P "$(nproc)" clang-format --dry-run -Werror
