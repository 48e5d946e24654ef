#!/usr/bin/env bash
# The steps of the demo; the Makefile says which there are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

repository=$(cd ../.. && pwd)
drydock=${DRYDOCK:-$repository/drydock}
state=${XDG_STATE_HOME:-$HOME/.local/state}/drydock/demos/$CLUSTER_NAME
ingest=127.0.0.1:$DEMO_PORT
log=127.0.0.1:$((DEMO_PORT + 1))
ingest_name=platform-connector-deployment.nvsentinel.svc
page=http://127.0.0.1:$((DEMO_PORT + 2))/health-event
deployments=(platform-connector-deployment fault-quarantine node-drainer slinky-drainer mock-slurm-operator)

die() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

step() {
  printf '\n==> %s\n' "$1"
}

k() {
  "$KUBECTL" --kubeconfig "$state/admin.kubeconfig" "$@"
}

require_setup() {
  [ -f "$state/admin.kubeconfig" ] || die "there is no demo cluster: run make setup"
}

in_containers() {
  [ "$(cat "$state/mode")" = containers ]
}

# until SECONDS TEXT COMMAND...: waits until the command succeeds
until_holds() {
  local end=$((SECONDS + $1)) text=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || die "$text did not happen in time; logs: $state"
    sleep 0.2
  done
}

# account_kubeconfig NAME: a kubeconfig with the token of this ServiceAccount, so with the rights of its manifest
account_kubeconfig() {
  local file=$state/$1.kubeconfig
  (umask 077 && k config view --raw --minify --flatten >"$file")
  "$KUBECTL" --kubeconfig "$file" config set-credentials "$1" --token="$(k create token "$1" -n nvsentinel --duration=24h)" >/dev/null
  "$KUBECTL" --kubeconfig "$file" config set-context --current --user="$1" >/dev/null
  printf '%s' "$file"
}

# run NAME ACCOUNT HEALTH-PORT ARGUMENTS...: a process of the product instead of the Deployment's container
run() {
  local name=$1 account=$2 port=$3 kubeconfig
  shift 3
  kubeconfig=$(account_kubeconfig "$account")
  NAMESPACE=nvsentinel NODE_NAME=$WORKER setsid "$drydock" "$@" --kubeconfig "$kubeconfig" \
    >"$state/$name.log" 2>&1 </dev/null &
  echo $! >"$state/$name.pid"
  printf '  %-30s log: %s\n' "$name" "$state/$name.log"
  healthy+=("$name $port")
}

# choose_mode: how the components run, $mode, and why, $reason; $image is the archive for containers
choose_mode() {
  case $MODE in
    processes) mode=processes reason='as MODE says' ;;
    containers)
      mode=containers reason='as MODE says'
      can_run_containers || die "$reason"
      ;;
    '')
      mode=containers reason='they can run here'
      can_run_containers || mode=processes
      ;;
    *) die "MODE=$MODE: use processes or containers, or leave it out" ;;
  esac
}

# can_run_containers: if not, $reason says why
can_run_containers() {
  local refusal
  if ! command -v openssl >/dev/null; then
    reason='containers need openssl, for a certificate'
    return 1
  elif [ -n "$DEMO_KUBECONFIG" ] && [ -z "$MODE" ]; then
    reason='the nodes may not have the image; MODE=containers if they have'
    return 1
  elif [ -n "$DEMO_KUBECONFIG" ]; then
    return 0
  elif ! refusal=$("$drydock" cluster up --name "$CLUSTER_NAME" --kubelet "$WORKER" --check 2>&1 >/dev/null); then
    reason=${refusal##*error: }
    return 1
  fi
  find_image
}

# find_image: the archive that IMAGE names; or the one of make image, built if it is missing or older than a source
find_image() {
  image=$IMAGE
  [ -z "$image" ] || return 0
  image=$(newest_image)
  if [ -z "$image" ] || [ -n "$(find "$repository"/pom.xml "$repository"/*/pom.xml "$repository"/*/src/main -newer "$image" -print -quit)" ]; then
    step "Building the image, which takes minutes; log: $state/image.log"
    if ! make -C "$repository" image >"$state/image.log" 2>&1; then
      reason="make image failed: $(grep -m 1 -oE 'error: .*|not formatted.*|[^ ]*\.java:.*|\[ERROR\].*' "$state/image.log" || tail -n 1 "$state/image.log")"
      return 1
    fi
    image=$(newest_image)
  fi
}

newest_image() {
  find "$repository/target" -maxdepth 1 -name 'drydock-*.oci.tar' -printf '%T@ %p\n' 2>/dev/null | sort -rn | sed -n '1s/^[^ ]* //p'
}

apply() {
  k apply --server-side -f - >/dev/null
}

# documents PATTERN: of manifests, those in which a line matches; with - before the pattern, the others
documents() {
  awk -v pattern="\n${1#-}\n" -v without="${1%%[!-]*}" \
    'BEGIN { RS = ORS = "---\n" } (("\n" $0) ~ pattern) == (without == "")'
}

# Accounts, rights and Deployments, which run nothing: the processes stand for their containers.
install_for_processes() {
  for each in slurm health; do
    k kustomize "$repository/deploy/$each" | documents '-kind: (DaemonSet|PersistentVolumeClaim)' |
      sed 's/^  replicas: 1$/  replicas: 0/' | apply
  done
}

# The manifests as they are shipped, with the changes of kustomization.yaml and a certificate for the ingest.
start_containers() {
  k kustomize "$repository/deploy/slurm" | apply
  (umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=$ingest_name" \
    -addext "subjectAltName=DNS:$ingest_name" -keyout "$state/tls.key" -out "$state/tls.crt" 2>"$state/openssl.log") ||
    die "openssl made no certificate: $(tail -n 1 "$state/openssl.log")"
  k create secret generic platform-connector-tls -n nvsentinel --dry-run=client -o yaml --from-file="$state/tls.key" \
    --from-file="$state/tls.crt" --from-file=ca.crt="$state/tls.crt" | apply
  k kustomize . >"$state/health.yaml"
  documents '- +ip: INGEST' <"$state/health.yaml" | apply
  until_holds 300 "an address of the ingest's pod" ingest_address
  documents ' +ip: INGEST' <"$state/health.yaml" | sed "s/ip: INGEST$/ip: $(ingest_address)/" | apply
  for each in "${deployments[@]/#/deployment/}" daemonset/platform-connectors; do
    k rollout status -n nvsentinel "$each" --timeout=300s >/dev/null ||
      die "$each is not ready: see kubectl --kubeconfig $state/admin.kubeconfig describe pods -n nvsentinel"
    printf '  %-40s kubectl logs -f %s -n nvsentinel\n' "$each" "$each"
  done
}

ingest_address() {
  k get pods -n nvsentinel -l app.kubernetes.io/name=platform-connector-deployment -o jsonpath='{.items[0].status.podIP}' | grep .
}

start_processes() {
  healthy=()
  run platform-connector-deployment drydock-health $((DEMO_PORT + 3)) operator --parts=ingest \
    --leader-elect-lease=drydock-operator --webhook-enabled=false --metrics-port=0 --metrics-tls=false \
    --health-bind-address=127.0.0.1:$((DEMO_PORT + 3)) --event-store-folder="$state/events" \
    --event-ingest-insecure=true --event-ingest-address="$ingest" --event-log-address="$log"
  run fault-quarantine fault-quarantine $((DEMO_PORT + 8)) operator --parts=fault-quarantine \
    --leader-elect-lease=drydock-operator-fault-quarantine --webhook-enabled=false --metrics-port=0 --metrics-tls=false \
    --health-bind-address=127.0.0.1:$((DEMO_PORT + 8)) --event-store-kind=served \
    --event-store-insecure=true --event-store-address="$ingest"
  run node-drainer node-drainer $((DEMO_PORT + 4)) operator --parts=node-drainer \
    --leader-elect-lease=drydock-operator-node-drainer --webhook-enabled=false --metrics-port=0 --metrics-tls=false \
    --health-bind-address=127.0.0.1:$((DEMO_PORT + 4)) --event-store-kind=served \
    --event-store-insecure=true --event-store-address="$ingest" --config-path="$state/node-drainer.toml"
  run slinky-drainer slinky-drainer $((DEMO_PORT + 5)) slinky-drainer --metrics-bind-address=0 \
    --health-probe-bind-address=127.0.0.1:$((DEMO_PORT + 5))
  run mock-slurm-operator mock-slurm-operator $((DEMO_PORT + 6)) mock-slurm \
    --health-probe-bind-address=127.0.0.1:$((DEMO_PORT + 6))
  run platform-connectors drydock-connector $((DEMO_PORT + 7)) agent --parts=connector \
    --metrics-bind-address=127.0.0.1:$((DEMO_PORT + 7)) --connector-socket="$state/nvsentinel.sock" \
    --connector-spool="$state/spool" --ingest-insecure --ingest-target="$ingest" \
    --event-http-address=127.0.0.1:$((DEMO_PORT + 2))
  for each in "${healthy[@]}"; do
    until_holds 300 "${each% *} is ready" curl -fsS "http://127.0.0.1:${each#* }/readyz"
  done
}

setup() {
  [ ! -e "$state/admin.kubeconfig" ] || die "the demo cluster $CLUSTER_NAME is there already: make cleanup removes it"
  for tool in "$KUBECTL" curl jq setsid; do
    command -v "$tool" >/dev/null || die "$tool is needed"
  done
  mkdir -p "$state"
  local mode image='' reason
  "$drydock" version >/dev/null # builds, if that is due, where one can see it
  choose_mode
  echo "$mode" >"$state/mode"
  if in_containers; then step "The components will run in containers: $reason"; else step "The components will run as processes on this machine: $reason"; fi
  start_cluster
  step "Installing CRDs"
  "$drydock" crds | apply
  if in_containers; then
    step "Starting the components in containers, each with its ServiceAccount"
    start_containers
  else
    step "Starting the components as processes on this machine, each with the token of its ServiceAccount"
    install_for_processes
    sed "s#/etc/drain-template#$PWD#" node-drainer.toml >"$state/node-drainer.toml"
    start_processes
  fi
  step "Starting two workloads on $WORKER"
  workloads | k apply -f - >/dev/null
  k wait pod -n slinky -l app=slinky-workload --for=condition=Ready --timeout=300s >/dev/null
  k get pods -n slinky -l app=slinky-workload -o json | jq -r '.items[].metadata.uid' >"$state/workloads"
  printf '\nReady. Next: make show-cluster, make inject-health-event, make verify-drain.\n'
  printf 'For kubectl: export KUBECONFIG=%s\n' "$state/admin.kubeconfig"
}

start_cluster() {
  if [ -n "$DEMO_KUBECONFIG" ]; then
    step "Using the cluster of $DEMO_KUBECONFIG"
    cp "$DEMO_KUBECONFIG" "$state/admin.kubeconfig"
    k get node "$WORKER" >/dev/null || { rm -rf "$state"; die "no node $WORKER: name one with WORKER=..."; }
    return
  fi
  local worker=(--node "$WORKER")
  if in_containers; then
    step "Starting a control plane with a real node, $WORKER, and a simulated one"
    worker=(--kubelet "$WORKER" --image "$image")
  else
    step "Starting a control plane with two simulated nodes"
  fi
  "$drydock" cluster up --name "$CLUSTER_NAME" --node "$CLUSTER_NAME-control-plane" "${worker[@]}"
  (umask 077 && "$drydock" cluster kubeconfig --name "$CLUSTER_NAME" >"$state/admin.kubeconfig")
}

# The real node of the test cluster downloads nothing: its image of busybox stands for nginx.
workloads() {
  local image='&'
  if [ -z "$DEMO_KUBECONFIG" ] && in_containers; then
    image='\1image: drydock.local/busybox:testbed\n\1imagePullPolicy: Never\n\1command: [sh, -c, "trap exit TERM; sleep 2147483647 \& wait"]'
  fi
  sed -E "s/WORKER/$WORKER/; s#^( *)image: .*#$image#" workloads.yaml
}

show_cluster() {
  require_setup
  if in_containers; then
    step "Components, which run in containers: kubectl logs deployment/NAME -n nvsentinel"
    k get deployments,daemonsets,pods -n nvsentinel
  else
    step "Components, which run as processes: the Deployments have no pods, kubectl logs has nothing to show"
    k get deployments -n nvsentinel
    show_processes
  fi
  step "Nodes"
  k get nodes -L dgxc.nvidia.com/nvsentinel-state
  step "Workloads"
  k get pods -n slinky -o wide
  step "DrainRequests"
  k get drainrequests -n nvsentinel
  step "Health events"
  events -o wide
}

show_processes() {
  for file in "$state"/*.pid; do
    name=$(basename "$file" .pid)
    if is_running "$file"; then what="running, process $(cat "$file")"; else what=ended; fi
    printf '  %-30s %s, log: %s\n' "$name" "$what" "$state/$name.log"
  done
}

# events ARGUMENTS...: the stored health events
events() {
  if in_containers; then
    "$drydock" events --kubeconfig "$state/admin.kubeconfig" --operator-namespace nvsentinel "$@"
  else
    "$drydock" events --address "$log" "$@"
  fi
}

inject_health_event() {
  require_setup
  if in_containers; then # the connector's page is open in its pod only
    k exec -i -n nvsentinel daemonset/platform-connectors -- \
      /opt/drydock/java/bin/java @/opt/drydock/java.args inject "$WORKER" -f - <event.json
  else
    "$drydock" inject "$WORKER" -f event.json --url "$page"
  fi
  printf 'Watch it: kubectl get drainrequests -n nvsentinel -w\n'
}

passed=0
# check TEXT EVIDENCE: passed if there is evidence
check() {
  if [ -n "$2" ]; then
    printf '  ok       %s: %s\n' "$1" "$2"
    passed=$((passed + 1))
  else
    printf '  MISSING  %s\n' "$1"
  fi
}

drained() {
  [ "$(k get node "$WORKER" -o json | jq -r '.metadata.labels["dgxc.nvidia.com/nvsentinel-state"] // ""')" = drain-succeeded ]
}

# Events with this reason, of the API group that the slinky drainer uses and of the old one
reasons() {
  k get events -A -o json | jq -r --arg reason "$1" '[.items[] | select(.reason == $reason) | .message // .note] | unique | join("; ")'
}

# what the status of the health event says; it is stored after the node has its label
succeeded() {
  drained || return 0
  events --node "$WORKER" -o json |
    jq -r '[(.items? // .)[] | select([.. | strings] | index("Succeeded")) | .healthevent.message // .event.message // "Succeeded"] | join("; ")'
}

verify_drain() {
  require_setup
  local end=$((SECONDS + ${VERIFY_SECONDS:-60})) requests done pods left
  drained || printf 'Waiting for the drain of %s, for %d seconds at most ...\n' "$WORKER" "${VERIFY_SECONDS:-60}" >&2
  until [ -n "$(succeeded)" ] || [ $SECONDS -ge $end ]; do
    sleep 0.5
  done
  step "The drain of $WORKER"
  requests=$(k get drainrequests -n nvsentinel -o json | jq --arg node "$WORKER" '[.items[] | select(.spec.nodeName == $node)]')
  done=$(jq -r '[.[] | select(any(.status.conditions[]?; .type == "DrainComplete" and .status == "True")) | .metadata.name] | join(", ")' <<<"$requests")
  # a request that is complete is deleted when the node is released; the history outlives it
  check "DrainRequest created and completed" "${done:-$("$drydock" history "$WORKER" --kubeconfig "$state/admin.kubeconfig" -o json | jq -r '[.[] | select(.what == "HealthDrainEnded" and (.story | startswith("Succeeded"))) | .story] | last // ""')}"
  check "Node annotated by slinky-drainer" "$(reasons NodeAnnotated)"
  pods=$(jq -r '[.[].status.pods[]? | .namespace + "/" + .name] | unique | join(", ")' <<<"$requests")
  check "Pod conditions set by mock-slurm-operator" "${pods:-$(reasons SlurmDrained)}"
  left=$(k get pods -n slinky -o json | jq -r '.items[].metadata.uid' | grep -cxFf "$state/workloads" || true)
  check "Pods deleted" "$([ "$left" = 0 ] && printf 'none of the %s pods of the setup is left' "$(wc -l <"$state/workloads")")"
  check "Drain successful in the health event's status" "$(succeeded)"
  printf '\nChecks passed: %d/5\n' "$passed"
  [ "$passed" != 0 ] || printf 'Nothing has begun: run make inject-health-event first.\n' >&2
  [ "$passed" = 5 ]
}

is_running() {
  # another process may have got the number since
  [ -r "/proc/$(cat "$1")/cmdline" ] && tr '\0' ' ' <"/proc/$(cat "$1")/cmdline" | grep -q "$state"
}

cleanup() {
  for file in "$state"/*.pid; do
    [ -e "$file" ] || continue
    if is_running "$file"; then kill "$(cat "$file")"; fi
  done
  if [ -z "$DEMO_KUBECONFIG" ]; then
    "$drydock" cluster down --name "$CLUSTER_NAME" || true
  elif [ -f "$state/admin.kubeconfig" ]; then
    k delete pods -n slinky -l app=slinky-workload --ignore-not-found
    k delete deployments -n nvsentinel --ignore-not-found "${deployments[@]}"
    k delete daemonsets -n nvsentinel --ignore-not-found platform-connectors
    printf 'The rest of the manifests stays: kubectl delete namespace nvsentinel slinky removes them.\n'
  fi
  rm -rf "$state"
}

demo() {
  setup
  show_cluster
  step "A GPU of $WORKER fails"
  inject_health_event
  local result=0
  verify_drain || result=$?
  step "Cleaning up"
  cleanup
  return "$result"
}

case ${1:-} in
  setup) setup ;;
  show-cluster) show_cluster ;;
  inject-health-event) inject_health_event ;;
  verify-drain) verify_drain ;;
  cleanup) cleanup ;;
  demo) demo ;;
  *) die "usage: make help" ;;
esac
