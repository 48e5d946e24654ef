#!/bin/sh
# A retry handler without a NIC. It accepts the command lines that the vendor's cxi_rh accepts and refuses all others, serves
# statistics below run/cxi/NIC, ends well on SIGTERM and SIGINT, and logs its state on SIGHUP.
root=$(cd "$(dirname "$0")/../.." && pwd)
nic='' conf=/etc/cxi_rh.conf

fail() {
  printf 'cxi_rh: %s\n' "$1" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --device=*) nic=${1#*=} ;;
    -d | --device) [ $# -gt 1 ] || fail "option $1 requires an argument"; nic=$2; shift ;;
    --conf=*) conf=${1#*=}; [ -r "$conf" ] || fail "cannot read $conf" ;;
    --log-stdout) ;;
    *) fail "unknown argument $1" ;;
  esac
  shift
done
number=${nic#cxi}
case $nic:$number in
  cxi*:*[!0-9]* | cxi:) fail "\"$nic\" is no device: it has to be cxi and a number" ;;
  cxi*) ;;
  :*) fail "no device: give --device=cxi0" ;;
  *) fail "\"$nic\" is no device: it has to begin with cxi" ;;
esac
[ -e "$root/dev/$nic" ] || fail "/dev/$nic does not exist"

folder=$root/run/cxi/$nic
leave() {
  printf '%s: timeouts restored\n' "$nic"
  rm -rf "$folder"
  exit 0
}
trap leave TERM INT
trap 'printf "%s: nacks %s\n" "$nic" "$(cat "$folder/nacks")"' HUP

mkdir -p "$folder/config" || exit 1
for name in nacks spt_timeouts spt_timeouts_u spt_timeouts_o connections_cancelled pkts_cancelled_u pkts_cancelled_o \
  nack_no_target_trs nack_no_target_mst nack_no_target_conn nack_no_matching_conn nack_resource_busy nack_trs_pend_rsp \
  nack_sequence_error sct_timeouts tct_timeouts spt_in_use smt_in_use sct_in_use trs_in_use mst_in_use tct_in_use \
  parked_nids max_parked_nids parked_switches max_parked_switches; do
  echo 0 >"$folder/$name"
done
echo 5 >"$folder/config/max_spt_retries"

printf '%s: started with %s\n' "$nic" "$conf"
while :; do
  sleep 1 9>&- &
  wait $!
done
