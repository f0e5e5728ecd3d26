#!/usr/bin/env bash
# stopped_rank.sh QUADRILLE_MPI START: a rank that is stopped is named, and nobody waits for ever: one that works beside others, with its part; one that
# waits while rank 0 works alone; and rank 0 then. All three jobs run at once. START may be several words: a launcher that has each rank believe it has a
# machine of its own.
set -u
mpi=$1
read -ra start <<<"$2"
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export QUADRILLE_TIMEOUT=5
simulate=(simulate alltoall "torus(8,8)" --switching wormhole --algorithm alltoall_direct --stall 1000cycles --sync none --bytes)
tick=$(getconf CLK_TCK)

# The process that is a rank, by what its launcher told it.
rank_of() { cat "/proc/$1/environ" 2>/dev/null | tr '\0' '\n' | sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p' | head -1; }
# Processor time of a process, in ticks; 0 where there is none.
used() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '{ t = $12 + $13 } END { print t + 0 }'; }

# stopped STOPPED WORKING REGEX ARGUMENTS...: three ranks of a job that takes long; STOPPED is stopped when WORKING has begun.
stopped() {
  local stopped=$1 working=$2 regex=$3 output job pid
  shift 3
  local words="$mpi $*" ranks=() pids=()
  output=$(mktemp -p "$here")
  "${start[@]}" -n 3 "$mpi" "$@" >"$output" 2>&1 </dev/null &
  job=$!
  for _ in $(seq 600); do
    pids=($(ps -eo pid=,args= | awk -v words="$words" '{ pid = $1; $1 = ""; if (substr($0, 2) == words) print pid }'))
    ranks=()
    for pid in "${pids[@]}"; do ranks[$(rank_of "$pid")]=$pid; done
    [ ${#ranks[@]} -ge 3 ] && [ "$(used "${ranks[$working]}")" -ge $((3 * tick / 2)) ] && break
    kill -0 $job 2>/dev/null || break
    sleep 0.1
  done
  [ ${#ranks[@]} -ge 3 ] && kill -STOP "${ranks[$stopped]}"
  for _ in $(seq 300); do
    kill -0 $job 2>/dev/null || break
    sleep 0.1
  done
  [ ${#ranks[@]} -gt 0 ] && kill -9 "${ranks[@]}" 2>/dev/null
  if kill -0 $job 2>/dev/null; then
    kill -9 $job
    echo "$words: the others wait for rank $stopped, which was stopped"
    return 1
  fi
  grep -qE "$regex" "$output" && return 0
  cat "$output"
  echo "$words: nothing was said of rank $stopped, which was stopped"
  return 1
}

"${start[@]}" -n 3 "$mpi" faults alltoall "torus(8,8)" --links all --nodes >"$here/refused" 2>&1 </dev/null
grep -q "^error: --nodes" "$here/refused" || { cat "$here/refused"; echo "an option that lacks its value is refused by rank 0"; exit 1; }
jobs=()
stopped 2 2 "^error: rank 2 has not been heard of for 5 s, while it was working on part [0-9]+ of 5000; [0-9]+ were done" \
  faults alltoall "torus(5,5)" --links 5000 --at-once 3 &
jobs+=($!)
for rank in 0 1; do
  stopped $rank 0 "^error: rank $rank has not been heard of for 5 s, while others wait for it" "${simulate[@]}" $((32 + rank))M &
  jobs+=($!)
done
failed=0
for job in "${jobs[@]}"; do wait "$job" || failed=1; done
exit $failed
