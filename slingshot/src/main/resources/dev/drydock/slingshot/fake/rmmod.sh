#!/bin/sh
# Removes no module: it takes it out of proc/modules of the fake machine, unless run/busy-MODULE exists, and keeps a record.
root=$(cd "$(dirname "$0")/../.." && pwd)
printf 'rmmod %s\n' "$*" >>"$root/run/modules.log"
for module in "$@"; do
  if [ -e "$root/run/busy-$module" ]; then
    printf 'rmmod: ERROR: Module %s is in use\n' "$module" >&2
    exit 1
  fi
  if ! grep -qs "^$module " "$root/proc/modules"; then
    printf 'rmmod: ERROR: Module %s is not currently loaded\n' "$module" >&2
    exit 1
  fi
  grep -v "^$module " "$root/proc/modules" >"$root/proc/.modules" || :
  mv "$root/proc/.modules" "$root/proc/modules"
done
