#!/bin/sh
# Says which file of the fake machine a module has, by its name: modinfo -k KERNEL -n MODULE. No other field is known.
root=$(cd "$(dirname "$0")/../.." && pwd)
kernel=$(sed 's/^Linux version \([^ ]*\).*/\1/' "$root/proc/version") names='' module=''
while [ $# -gt 0 ]; do
  case $1 in
    -k) kernel=$2; shift ;;
    -F) shift ;;
    -n) names=1 ;;
    *) module=$(printf '%s' "$1" | tr - _) ;;
  esac
  shift
done
for file in $(find "$root/lib/modules/$kernel" -name '*.ko*' 2>/dev/null); do
  name=${file##*/}
  if [ "$(printf '%s' "${name%%.ko*}" | tr - _)" = "$module" ]; then
    [ -z "$names" ] || printf '%s\n' "${file#"$root"}"
    exit 0
  fi
done
printf 'modinfo: ERROR: Module %s not found.\n' "$module" >&2
exit 1
