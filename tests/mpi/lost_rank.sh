#!/usr/bin/env bash
# lost_rank.sh QUADRILLE_MPI START: a rank that is stopped while it works is named, with its part, and nobody waits for ever.
set -u
mpi=$1 start=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
export QUADRILLE_TIMEOUT=3
"$start" -n 3 "$mpi" faults alltoall "torus(8,8)" --links all --nodes >"$output" 2>&1 </dev/null
grep -q "^error: --nodes" "$output" || { cat "$output"; echo "an option that lacks its value is refused by rank 0"; exit 1; }
"$start" -n 3 "$mpi" faults alltoall "torus(5,5)" --links 5000 --at-once 3 >"$output" 2>&1 </dev/null &
job=$!
for _ in $(seq 100); do
  ranks=($(pgrep -f "^$mpi faults alltoall torus" | sort -n))
  [ ${#ranks[@]} -ge 3 ] && break
  sleep 0.1
done
sleep 4
kill -STOP "${ranks[-1]}" || exit 1
for _ in $(seq 300); do
  kill -0 $job 2>/dev/null || break
  sleep 0.1
done
kill -9 "${ranks[@]}" 2>/dev/null
if kill -0 $job 2>/dev/null; then
  kill -9 $job
  echo "the others wait for the rank that was stopped"
  exit 1
fi
grep -E "^error: rank [12] has not been heard of for 3 s, while it was working on part [0-9]+ of 5000; [0-9]+ were done" "$output" && exit 0
cat "$output"
echo "nothing was said of the rank that was stopped"
exit 1
