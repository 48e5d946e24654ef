# Runs a Slurm with one node per port, in a root of its own, in the mount and process namespaces of this shell. Reads
# commands from standard input, one per line, and says "--- CODE" after each; all ends when standard input closes.
# Usage: real-slurm.sh ROOT FOLDER CONTROLLER_PORT REST_PORT NODE_PORT...
set -e
root=$1 place=$2 controller=$3 rest=$4
shift 4
mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$place/root"
# the root is shared and stays as it is: changes are in memory
mount -t overlay overlay -o "lowerdir=$root,upperdir=$place/upper,workdir=$place/work" "$place/root"
cd "$place/root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mkdir -p etc/slurm var/spool/controller var/log/slurm
head -c 1024 /dev/urandom > etc/slurm/slurm.key
head -c 32 /dev/urandom > etc/slurm/jwt.key
chmod 600 etc/slurm/*.key
echo CgroupPlugin=disabled > etc/slurm/cgroup.conf
{
  cat << END
ClusterName=drydock
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$controller
SlurmUser=root
AuthType=auth/slurm
CredType=cred/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=1
StateSaveLocation=/var/spool/controller
SlurmdSpoolDir=/var/spool/slurmd-%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd-%n.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd-%n.log
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  number=0
  for port; do
    number=$((number + 1))
    echo "NodeName=n$number NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port CPUs=2 RealMemory=500"
  done
} > etc/slurm/slurm.conf

# nothing may take for ever: this shell has to notice that standard input closes
run() { timeout 120 chroot . "$@" 2>&1; }

start_controller() { run slurmctld; }

stop_controller() {
  local pid
  pid=$(cat run/slurmctld.pid)
  kill "$pid"
  # the process numbers of this namespace are in the root's own proc
  for _ in {1..1200}; do
    [ -d "proc/$pid" ] || return 0
    sleep 0.05
  done
  return 1
}

# neither as root nor as Slurm's own user, which slurmrestd refuses
start_rest() {
  chroot . setpriv --reuid=65534 --regid=65534 --clear-groups env SLURM_JWT=daemon \
    slurmrestd -s openapi/slurmctld -a rest_auth/jwt "127.0.0.1:$rest" > rest.log 2>&1 < /dev/null &
  rest_pid=$!
}

stop_rest() {
  kill "$rest_pid"
  wait "$rest_pid" || true
}

start_controller > /dev/null
number=0
for _; do
  number=$((number + 1))
  run slurmd -N "n$number" > /dev/null
done
start_rest
set +e
while IFS= read -r line; do
  eval "$line" < /dev/null
  echo "--- $?"
done
