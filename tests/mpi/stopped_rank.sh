#!/usr/bin/env bash
# stopped_rank.sh QUADRILLE_MPI START: while rank 0 works alone and the others wait for it, a rank that is stopped is named, rank 0 too, and nobody
# waits for ever.
set -u
mpi=$1 start=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
export QUADRILLE_TIMEOUT=3
# The process that is a rank, by what its launcher told it.
rank_of() { tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p' | head -1; }
failed=0
for stopped in 1 0; do
  "$start" -n 3 "$mpi" simulate alltoall "torus(8,8)" --switching wormhole --algorithm alltoall_direct --bytes 32M \
    --stall 1000cycles --sync none >"$output" 2>&1 </dev/null &
  job=$!
  for _ in $(seq 200); do
    ranks=($(pgrep -f "^$mpi simulate alltoall torus"))
    [ ${#ranks[@]} -ge 3 ] && break
    sleep 0.1
  done
  sleep 4
  for pid in "${ranks[@]}"; do
    [ "$(rank_of "$pid")" = $stopped ] && kill -STOP "$pid"
  done
  for _ in $(seq 300); do
    kill -0 $job 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "${ranks[@]}" 2>/dev/null
  if kill -0 $job 2>/dev/null; then
    kill -9 $job
    echo "the others wait for rank $stopped, which was stopped"
    failed=1
  fi
  if ! grep -qE "^error: rank $stopped has not been heard of for 3 s, while others wait for it" "$output"; then
    cat "$output"
    echo "nothing was said of rank $stopped, which was stopped"
    failed=1
  fi
done
exit $failed
