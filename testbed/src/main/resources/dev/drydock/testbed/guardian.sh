#!/bin/bash
# Outlives the owner of a cluster: waits until standard input closes, because the owner closed it or died, then
# stops every process that carries the cluster's marker and removes the cluster's folder.
# Usage: guardian.sh <folder>
directory=$1
marker="DRYDOCK_TESTBED=$directory"

# only the end of standard input may end the watch: not a closed terminal, not a signal to the whole group
trap '' HUP INT TERM PIPE
exec 3>&1
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
    if [ "$(cat "/proc/$pid/comm")" = kube-apiserver ]; then echo "$pid"; fi
  done 2> /dev/null
}

# stop <function that lists pids> <seconds>: asks, gives them that long, then kills until none is left
stop() {
  local pids asked=no kill_at=$((SECONDS + $2)) give_up_at=$((SECONDS + $2 + 60))
  while pids=$("$1") && [ -n "$pids" ]; do
    # asked once only: most take a second request for an order to drop everything
    if [ $asked = no ]; then
      asked=yes
      kill -TERM $pids
    elif ((SECONDS >= give_up_at)); then
      echo "still running after a kill: "$pids >&3
      return 1
    elif ((SECONDS >= kill_at)); then
      kill -KILL $pids
    fi
    sleep 0.05
  done 2> /dev/null
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
stop marked_api_servers 2 && stop marked 3 || exit 1
for ((round = 0; round < 50; round++)); do
  mounted | while IFS= read -r mount_point; do umount "$mount_point" || umount -l "$mount_point"; done
  # removing a folder with something still mounted in it would remove what belongs to others
  [ -z "$(mounted)" ] && rm -rf --one-file-system -- "$directory"
  [ -e "$directory" ] || exit 0
  sleep 0.1
done > /dev/null 2>&1
echo "cannot remove $directory"
exit 1
