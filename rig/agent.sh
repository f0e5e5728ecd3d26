#!/bin/sh
# What launchers take for ssh: runs a command on a host, which is a namespace of the rig.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
# A name of its own keeps the session folders of Open MPI's daemons apart.
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
