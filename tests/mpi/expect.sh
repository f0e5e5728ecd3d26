#!/bin/bash
# Runs a command and holds it against what is expected of it:
#
#   expect.sh STATUS REGEX [AND REGEX]... COMMAND...   it exits with STATUS, and exactly one line of its output matches each REGEX
#
# One line: what every rank could say is said by one.
status=$1
regexes=("$2")
shift 2
while [[ $1 == AND ]]; do
  regexes+=("$2")
  shift 2
done
output=$("$@" 2>&1 </dev/null)
found=$?
wrong=()
[[ $found -eq $status ]] || wrong+=("expected status $status, found $found")
for regex in "${regexes[@]}"; do
  lines=$(grep -cE -- "$regex" <<<"$output")
  [[ $lines -eq 1 ]] || wrong+=("expected one line like '$regex', found $lines")
done
if [[ ${#wrong[@]} -gt 0 ]]; then
  echo "$output"
  printf '%s\n' "${wrong[@]}"
  exit 1
fi
