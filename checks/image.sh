# The container image: built, small, and run by podman as a DaemonSet would run it, against a real receiver.
. "$(dirname "${BASH_SOURCE[0]}")/harness"
"$root/scripts/require" jdk buildah podman runc node curl || exit 1
export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf
printf '[storage]\ndriver = "overlay"\ngraphroot = "%s"\nrunroot = "%s"\n' "$work/storage" "$work/run" >"$CONTAINERS_STORAGE_CONF"
# No systemd is asked for control groups, and limits are such that a machine inside another can give them.
limit() {
  local most
  most=$(ulimit -H "$1")
  [[ $most != unlimited && $most -le 10000 ]] || most=10000
  echo "$most:$most"
}
printf '[containers]\ndefault_ulimits = ["nofile=%s", "nproc=%s"]\n[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "file"\n' \
  "$(limit -n)" "$(limit -u)" >"$CONTAINERS_CONF"
receiver=
cleanup() {
  local mount
  # The second time for what others depended on.
  podman rm -f -t 0 --all >/dev/null 2>&1
  podman rm -f -t 0 --all >/dev/null 2>&1
  [[ -z $receiver ]] || kill "$receiver" 2>/dev/null
  # Deepest first.
  awk -v work="$work/" 'index($2, work) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do
    umount -l "$mount"
  done
  rm -rf "$work"
}
trap cleanup EXIT
until_true() {
  local i
  for ((i = 0; i < 600; i++)); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}

"$root/deploy/image/build" localhost/lifespan:check >"$work/log" 2>&1
same "the image is built" 0 $?
cat "$work/log"
buildah push -q --compression-format gzip localhost/lifespan:check "dir:$work/pushed" >/dev/null 2>&1 &
pushing=$!
image() { podman image inspect --format "{{$1}}" localhost/lifespan:check; }
same "it runs as nobody unless it is told otherwise" 65532:65532 "$(image .Config.User)"

mkfifo "$work/hold"
node "$root/checks/receivers/receiver.js" --until-eof <>"$work/hold" >"$work/received" 2>&1 &
receiver=$!
until_true test -s "$work/received" || echo "not ok - the receiver starts"
endpoint=$(head -n 1 "$work/received" | sed -n 's/.*"grpc":"\([^"]*\)".*/\1/p')

# As the DaemonSet in deploy/kubernetes has it.
mapfile -t capabilities < <(sed -n '/^ *add:/,/^ *[a-z]*:/s/^ *- \([A-Z_]*\)$/\1/p' "$root/deploy/kubernetes/base/daemonset.yaml")
same "the DaemonSet names the capabilities" 6 "${#capabilities[@]}"
start=$(date +%s%N)
port=$((20000 + RANDOM % 10000))
podman run -d --name lifespan-check --read-only --user 0 --network host --pid host --memory 256m \
  --cap-drop all $(printf -- '--cap-add %s ' "${capabilities[@]}") --security-opt no-new-privileges --security-opt seccomp=unconfined \
  -e OTEL_EXPORTER_OTLP_ENDPOINT="$endpoint" -e OTEL_BSP_SCHEDULE_DELAY=500 -e LIFESPAN_HEALTH_PORT=$port localhost/lifespan:check >/dev/null 2>"$work/log"
same "it starts with the DaemonSet's rights, on a read-only file system" 0 $?
[[ -s $work/log ]] && { cat "$work/log"; exit 1; }
check "it becomes ready" until_true curl -fsS -o /dev/null "http://127.0.0.1:$port/readyz" 2>/dev/null
says=$(podman logs lifespan-check 2>&1)
has "it watches the whole machine by capture in the kernel" " by ebpf (" "$says"
same "it says nothing else" 1 "$(wc -l <<<"$says")"
sh -c 'sleep 0.1; exit 42'
span() { grep -q '"process.exit.code":"42"' "$work/received"; }
check "a process of the machine that fails arrives at the receiver" until_true span
echo "start to first span: $((($(date +%s%N) - start) / 1000000)) ms"
echo "memory: $(awk '/VmHWM/ { print $2 / 1024 " MB" }' "/proc/$(podman inspect --format '{{.State.Pid}}' lifespan-check)/status") at most"
same "it ends within its time, and well" 0 "$(podman stop -t 10 lifespan-check >/dev/null; podman inspect --format '{{.State.ExitCode}}' lifespan-check)"

doctor=$(podman run --rm --read-only --network host --pid host --cap-drop all localhost/lifespan:check doctor 2>&1)
has "as nobody, the kernel's connector works" "connector:  works" "$doctor"
has "with the runtime's own seccomp profile it names that" "a seccomp profile refuses the call" \
  "$(podman run --rm --user 0 --network host --pid host --cap-drop all --cap-add BPF,PERFMON localhost/lifespan:check doctor 2>&1)"
has "in namespaces of its own it says what is missing" "namespace" "$(podman run --rm localhost/lifespan:check doctor 2>&1)"

# A sidecar as deploy/kubernetes/sidecar has it: nobody, no capability, the processes of another container and nothing else of it.
mkdir -m 777 "$work/otlp"
podman run -d --name lifespan-service --network none --user 65532 --rootfs /:O \
  sh -c 'while :; do sh -c "sleep 0.3; exit 42"; done' >/dev/null 2>"$work/log" || cat "$work/log"
podman run -d --name lifespan-sidecar --pid container:lifespan-service --network none --read-only --cap-drop all --security-opt no-new-privileges \
  -v "$work/otlp:/otlp" -e OTEL_SDK_DISABLED=true -e OTEL_BSP_SCHEDULE_DELAY=500 -e LIFESPAN_SOURCES=poll \
  localhost/lifespan:check agent --otlp-dir /otlp >/dev/null 2>"$work/log" || cat "$work/log"
sidecar_span() { grep -q '"process.exit.code","value":{"intValue":"42"' "$work/otlp/traces.jsonl" 2>/dev/null; }
check "a sidecar without any privilege sees how the service's processes end" until_true sidecar_span
has "the sidecar says that it looks into /proc" " by poll (" "$(podman logs lifespan-sidecar 2>&1)"

wait $pushing
size=$(($(cat "$work"/pushed/* | wc -c) / 1000000))
echo "as pulled: $size MB"
check "it is at most 60 MB to pull" test "$size" -le 60 -a "$size" -gt 10
