#!/usr/bin/env bash
# memory.sh QUADRILLE QUADRILLE_MPI START: ranks that judge a plan file together have none of it in memory at once, rank 0 neither: its peak is
# below what the program needs alone by half of the file, in both forms; and they print what it prints. Of ranks that simulate one run all but one have none.
set -u
quadrille=$1 mpi=$2 start=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
# The peak of a process that wait4() has seen, in KiB; Python's own is below what it measures.
cat >"$here/peak.py" <<'P'
import os, subprocess, sys
status = subprocess.run(sys.argv[2:], close_fds=False).returncode
import resource
open(sys.argv[1] + "." + str(os.getpid()), "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status)
P
failed=0
for form in plan json; do
  file=$here/torus.$form
  "$quadrille" plan alltoall "torus(24,24)" -o "$file" >/dev/null 2>&1 </dev/null || exit 1
  size=$(($(stat -c %s "$file") / 1024))
  rm -f "$here"/peak.[0-9]*
  python3 "$here/peak.py" "$here/peak" "$quadrille" verify "$file" >"$here/alone" 2>/dev/null </dev/null || exit 1
  alone=$(cat "$here"/peak.[0-9]*)
  rm -f "$here"/peak.[0-9]*
  "$start" -n 3 python3 "$here/peak.py" "$here/peak" "$mpi" verify "$file" >"$here/together" 2>"$here/errors" </dev/null ||
    { cat "$here/errors"; exit 1; }
  cmp "$here/alone" "$here/together" || failed=1
  most=0 ranks=0
  for peak in "$here"/peak.[0-9]*; do
    ranks=$((ranks + 1))
    [ "$(cat "$peak")" -gt "$most" ] && most=$(cat "$peak")
  done
  echo "$form: the file has $size KiB, alone $alone KiB, the largest of $ranks ranks $most KiB"
  [ "$ranks" -eq 3 ] && [ "$most" -lt $((alone - size / 2)) ] && [ "$most" -lt "$size" ] || failed=1
done
# One rank simulates, with all steps; the others have none of them.
rm -f "$here"/peak.[0-9]*
"$quadrille" simulate "$here/torus.plan" >"$here/alone" 2>/dev/null </dev/null || exit 1
"$start" -n 3 python3 "$here/peak.py" "$here/peak" "$mpi" simulate "$here/torus.plan" >"$here/together" 2>"$here/errors" </dev/null ||
  { cat "$here/errors"; exit 1; }
cmp "$here/alone" "$here/together" || failed=1
peaks=($(sort -n <(for peak in "$here"/peak.[0-9]*; do echo "$(cat "$peak")"; done)))
size=$(($(stat -c %s "$here/torus.plan") / 1024))
echo "simulate: the file has $size KiB, the ranks ${peaks[*]} KiB"
[ ${#peaks[@]} -eq 3 ] && [ "${peaks[1]}" -lt "$size" ] && [ "${peaks[2]}" -gt "$size" ] || failed=1
exit $failed
