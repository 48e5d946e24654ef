#!/bin/sh
# Takes one node off this machine: its processes, cgroups, bridge and files. May be run again at any time.
# the node's cgroup has the name of its bridge
bridge='@bridge@'
folder='@folder@'

groups() {
  for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*; do
    if [ -d "$hierarchy/$bridge" ]; then
      find "$hierarchy/$bridge" -depth -type d
    fi
  done
}

processes() {
  groups | while read -r group; do cat "$group/cgroup.procs" 2> /dev/null; done | sort -u
}

# A process that is just being born is missed by one round and caught by the next.
rounds=100
while [ "$rounds" -gt 0 ] && [ -n "$(processes)" ]; do
  kill -KILL $(processes) 2> /dev/null
  sleep 0.1
  rounds=$((rounds - 1))
done

groups | while read -r group; do rmdir "$group"; done
if [ -d "/sys/class/net/$bridge" ]; then
  ip link delete "$bridge"
fi
rm -rf --one-file-system "$folder"

if [ -n "$(groups)" ] || [ -d "/sys/class/net/$bridge" ] || [ -d "$folder" ]; then
  echo "node $bridge is not gone; processes left: $(processes | tr '\n' ' ')" >&2
  exit 1
fi
# the next node may get this number: from here on it is not ours to remove
rm -f "$0"
