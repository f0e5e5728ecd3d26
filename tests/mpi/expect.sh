#!/bin/bash
# Runs a command and holds it against what is expected of it:
#
#   expect.sh STATUS REGEX COMMAND...   it exits with STATUS, and exactly one line of its output matches REGEX
#
# One line: what every rank could say is said by one.
status=$1
regex=$2
shift 2
output=$("$@" 2>&1 </dev/null)
found=$?
lines=$(grep -cE -- "$regex" <<<"$output")
if [[ $found -ne $status || $lines -ne 1 ]]; then
  echo "$output"
  echo "expected status $status and one line like '$regex'; found status $found and $lines such lines"
  exit 1
fi
