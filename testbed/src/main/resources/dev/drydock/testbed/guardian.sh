#!/bin/bash
# Outlives the owner of a cluster: waits until standard input closes, because the owner closed it or died, then
# stops every process that carries the cluster's marker and removes the cluster's folder.
# Usage: guardian.sh <folder>
directory=$1
marker="DRYDOCK_TESTBED=$directory"

# only the end of standard input may end the watch: not a closed terminal, not a signal to the whole group
trap '' HUP INT TERM PIPE
cd /

marked() {
  local file
  grep -lzxF -- "$marker" /proc/[0-9]*/environ 2>/dev/null | while IFS= read -r file; do
    file=${file#/proc/}
    echo "${file%/environ}"
  done
}

marked_api_servers() {
  local pid
  for pid in $(marked); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = kube-apiserver ] && echo "$pid"
  done
}

# stop <function that lists pids>: asks, waits three seconds, then kills until none is left
stop() {
  local round pids
  for ((round = 0; round < 300; round++)); do
    pids=$("$1")
    [ -z "$pids" ] && return 0
    # asked once only: most take a second request for an order to drop everything
    if ((round == 0)); then kill -TERM $pids 2>/dev/null; fi
    if ((round >= 30)); then kill -KILL $pids 2>/dev/null; fi
    sleep 0.1
  done
  echo "still running after a kill: "$pids
  return 1
}

mounted() {
  local mount_point
  # the kernel writes blanks and the like as octal escapes; the deepest mounts come last and have to go first
  while read -r _ _ _ _ mount_point _; do
    mount_point=$(printf '%b' "${mount_point//\\/\\0}")
    case $mount_point in "$directory"/*) printf '%s\n' "$mount_point" ;; esac
  done < /proc/self/mountinfo | sort -r
}

while IFS= read -r _; do :; done

for script in "$directory"/cleanup.d/*.sh; do
  [ -f "$script" ] && timeout -k 1 20 bash "$script" < /dev/null
done
# the API server goes first: without its etcd it would not heed the request to stop
stop marked_api_servers && stop marked || exit 1
for ((round = 0; round < 50; round++)); do
  mounted | while IFS= read -r mount_point; do umount "$mount_point" || umount -l "$mount_point"; done
  # removing a folder with something still mounted in it would remove what belongs to others
  [ -z "$(mounted)" ] && rm -rf --one-file-system -- "$directory"
  [ -e "$directory" ] || exit 0
  sleep 0.1
done > /dev/null 2>&1
echo "cannot remove $directory"
exit 1
