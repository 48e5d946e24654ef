#!/bin/sh
# Loads no module: it adds it to proc/modules of the fake machine, with what it needs, and keeps a record of its command lines.
root=$(cd "$(dirname "$0")/../.." && pwd)
printf 'modprobe %s\n' "$*" >>"$root/run/modules.log"
module='' remove=''
for word in "$@"; do
  case $word in
    -r | --remove) remove=1 ;;
    -*) ;;
    *) module=$(printf '%s' "$word" | tr - _) ;;
  esac
done
[ -n "$module" ] || exit 1
[ -z "$remove" ] || exec "$root/usr/bin/rmmod" "$module"
if [ -e "$root/run/refuse-$module" ]; then
  printf 'modprobe: ERROR: could not insert %s: Exec format error\n' "$module" >&2
  exit 1
fi
load() {
  grep -qs "^$1 " "$root/proc/modules" || printf '%s 1 0 - Live 0x0\n' "$1" >>"$root/proc/modules"
}
case $module in cxi_user | cxi_eth) load cxi_ss1 ;; esac
load "$module"
