#!/bin/bash
# The first process of a node that lives in its own process and mount namespaces: when it ends, the kernel ends every
# container with it and takes every mount away.
# Usage: node.sh FOLDER CGROUP KUBELET [ARGUMENT...]
set -eu
folder=$1 cgroup=$2
shift 2
exec 2> "$folder/node.log"

# All that runs here is found again by its cgroup, whatever environment it gives itself.
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*; do
  if [ -d "$hierarchy/$cgroup/node" ]; then
    echo 0 > "$hierarchy/$cgroup/node/cgroup.procs"
  fi
done

# containerd, its shims, CNI and the kubelet each have a place of their own that no setting moves. Here they write to
# the node's folder, and the machine's files stay as they are.
for place in run var/lib var/log; do
  mkdir -p "$folder/private/$place" "$folder/private/work/$place"
  mount -t overlay overlay \
    -o "lowerdir=/$place,upperdir=$folder/private/$place,workdir=$folder/private/work/$place" "/$place"
done

# Plugins are expected at these places whatever the kubelet's folder is.
for place in device-plugins plugins plugins_registry; do
  mkdir -p "$folder/kubelet/$place" "/var/lib/kubelet/$place"
  mount --bind "$folder/kubelet/$place" "/var/lib/kubelet/$place"
done

# The kubelet sets these for the whole machine; here it sets copies.
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops \
  kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  copy=$folder/private/sysctl/$setting
  mkdir -p "$(dirname "$copy")"
  cat "/proc/sys/$setting" > "$copy"
  mount --bind "$copy" "/proc/sys/$setting"
done

# Volumes have to appear in containers, within this namespace.
mount --make-rshared /

socket=$folder/containerd.sock
containerd --config "$folder/containerd.toml" > "$folder/containerd.log" 2>&1 &
containerd=$!
until ctr --address "$socket" version > "$folder/ctr.log" 2>&1; do
  kill -0 "$containerd" || { echo "containerd ended: $(tail -n 1 "$folder/containerd.log")" >&2; exit 1; }
  sleep 0.1
done
ctr --address "$socket" --namespace k8s.io images import "$folder/sandbox.tar" > "$folder/ctr.log" 2>&1 ||
  { echo "cannot import the sandbox image: $(tail -n 1 "$folder/ctr.log")" >&2; exit 1; }

# A kubelet that ends is followed by another one if the file asks for it; containers go on. Not by a signal to this
# script: bash may miss one that comes while it waits.
while :; do
  "$@" >> "$folder/kubelet.log" 2>&1 &
  kubelet=$!
  wait -n "$containerd" "$kubelet" || true
  if kill -0 "$kubelet" || ! rm "$folder/restart-kubelet"; then break; fi
done
if kill -0 "$kubelet"; then ended=containerd; else ended=kubelet; fi
echo "$ended ended: $(tail -n 1 "$folder/$ended.log")" >&2
exit 1
