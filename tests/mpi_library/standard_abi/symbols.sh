#!/bin/bash
# What a library needs of MPI is functions of the standard ABI, under their profiling names, and nothing of any MPI's own:
#
#   symbols.sh LIBRARY HEADER
library=$1
header=$2
known=$(grep -oE "QD_ABI(_COLLECTIVE)?\([A-Z][a-z_]+(, I[a-z_]+)?" "$header" | sed 's/.*(//; s/, /\n/' | sort -u)
needed=$(nm -D --undefined-only "$library" | awk '{print $2}' | sed 's/@.*//')
wrong=$(grep -E "^(MPI_|MPI[DIRX]+_|OMPI_|ompi_|opal_|MPL_|mpich)" <<<"$needed")
foreign=$(grep -E "^PMPI_" <<<"$needed" | sed 's/^PMPI_//' | grep -vxF "$known")
count=$(grep -cE "^PMPI_" <<<"$needed")
data=$(nm -D "$library" | grep -E " [BDRVu] " | grep -iE "mpi" )
if [[ -n $wrong || -n $foreign || -n $data || $count -lt 50 ]]; then
  echo "needs $count functions of MPI; not of the ABI: $wrong $foreign $data"
  exit 1
fi
echo "all right: $count functions of MPI"
