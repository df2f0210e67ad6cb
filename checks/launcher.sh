# The launcher, on a copy of the sources: first build, two at once, change of a source, no right to write; and what it hands
# on: arguments, environment, signals, limits, exit codes.
. "$(dirname "${BASH_SOURCE[0]}")/harness"
. "$root/scripts/java"
copy=$work/copy
chmod 755 "$work"
mkdir "$copy"
tar -C "$root" --exclude=target --exclude=node_modules --exclude=./checks/metrics --exclude=.git -cf - . | tar -C "$copy" -xf -
lifespan=$copy/lifespan
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS TRACEPARENT TRACESTATE
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
((EUID == 0)) || nobody=()

code() {
  "$@" >/dev/null 2>&1
  echo $?
}

# First build.
if ((EUID == 0)); then
  seen=$("${nobody[@]}" "$lifespan" run -- true 2>&1)
  same "unbuilt and not writable: exit code 125" 125 "$(code "${nobody[@]}" "$lifespan" run -- true)"
  has "unbuilt and not writable: says who must build" "run $lifespan once as its owner" "$seen"
  seen=$(unshare -m bash -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && "$1/lifespan" run -- true' - "$copy" 2>&1)
  has "unbuilt on a read-only file system: says so" "is not writable" "$seen"
fi
"$lifespan" run --no-tree -- true 2>"$work/first" &
first=$!
"$lifespan" run --no-tree -- true 2>"$work/second" &
second=$!
wait $first
same "the first start builds and runs" 0 $?
wait $second
same "a second start at the same time waits and runs" 0 $?
same "only one of the two builds" 1 "$(cat "$work/first" "$work/second" | grep -c 'building')"
same "the next start is silent" "" "$("$lifespan" run --no-tree -- true 2>&1)"
check "an archive of loaded classes was made" test -s "$(echo "$copy"/collector-plugin/target/launcher/lifespan-*.jsa)"

# Where it is called from, and by whom.
ln -s "$lifespan" "$work/link"
same "works through a symbolic link from another directory" seen "$(cd / && "$work/link" run --no-tree -- echo seen)"
same "works through a relative path" seen "$(cd "$copy/docs" && ../lifespan run --no-tree -- echo seen)"
same "the command starts in the caller's directory" / "$(cd / && "$lifespan" run --no-tree -- pwd)"
if ((EUID == 0)); then
  same "another user runs what root has built" seen "$("${nobody[@]}" "$lifespan" run --no-tree -- echo seen)"
fi

# Byte for byte.
odd=('' ' ' 'a b' $'x\ny' $'\xff\xfe' '*' '@file' '--' '-x' '$HOME' 'ü' "'" '"' '\')
same "arguments arrive byte for byte" "$(LC_ALL=C; printf '%q ' "${odd[@]}")" \
  "$("$lifespan" run --no-tree -- bash -c 'LC_ALL=C; printf "%q " "$@"' - "${odd[@]}")"
variables=(PATH="$PATH" MALLOC_ARENA_MAX=7 _JAVA_SR_SIGNUM=60 LC_ALL=C LIFESPAN_JAVA_OPTIONS=-Dx=y
  'JAVA_TOOL_OPTIONS=-Dtool=yes' 'BASH_FUNC_f%%=() {  echo f; }' $'odd.name=\xff\n' EMPTY= _=underscore)
expected=$(env -i "${variables[@]}" "$(type -P env)" -0 | sort -z | tr '\0' '|')
seen=$(env -i "${variables[@]}" "$lifespan" run --no-tree -- "$(type -P env)" -0 2>"$work/errors" |
  grep -azv '^TRACEPARENT=' | sort -z | tr '\0' '|')
same "the environment arrives byte for byte, with a TRACEPARENT" "$expected" "$seen"
same "options for the user's own JVMs are not for this one" "" "$(cat "$work/errors")"
state='grep -E "Sig(Blk|Ign)" /proc/self/status; ulimit -n; ulimit -s; umask'
same "signals, limits and umask are the caller's" "$(bash -c "$state")" "$("$lifespan" run --no-tree -- bash -c "$state")"
same "ignored signals stay ignored" "$(trap '' HUP USR1; bash -c "$state")" \
  "$(trap '' HUP USR1; "$lifespan" run --no-tree -- bash -c "$state")"
same "standard input reaches the command" typed "$(echo typed | "$lifespan" run --no-tree -- cat)"

# Exit codes.
same "exit code of the command" 7 "$(code "$lifespan" run -- sh -c 'exit 7')"
same "128 + signal" 143 "$(code "$lifespan" run -- sh -c 'kill -TERM $$')"
same "command not found: 127" 127 "$(code "$lifespan" run -- "$work/none")"
same "command not executable: 126" 126 "$(code "$lifespan" run -- "$copy/LICENSE")"
same "unknown option: 2" 2 "$(code "$lifespan" run --no-such-option -- true)"

# Every Java that is installed.
same "LIFESPAN_JAVA_HOME without a Java: 125" 125 "$(LIFESPAN_JAVA_HOME=/nowhere code "$lifespan" run -- true)"
declare -A seen_homes=()
for home in /usr/lib/jvm/*; do
  real=$(readlink -f "$home")
  if is_java "$real" && [[ -z ${seen_homes[$real]-} ]]; then
    seen_homes[$real]=1
    same "runs on Java $java_version, silently" "seen" \
      "$(LIFESPAN_JAVA_HOME=$real "$lifespan" run --no-tree --otlp-dir "$work/otlp-$java_version" -- echo seen 2>&1)"
    check "exports on Java $java_version" grep -q traceId "$work/otlp-$java_version/traces.jsonl"
  fi
done

# A change of a source.
source=$copy/collector-plugin/src/main/java/io/lifespan/collector/Main.java
cp "$source" "$work/Main.java"
echo 'no Java' >>"$source"
seen=$("$lifespan" run --no-tree -- true 2>&1)
same "a source that does not compile: exit code 125" 125 $?
has "a source that does not compile: names the log" "$copy/collector-plugin/target/launcher-build.log" "$seen"
cp "$work/Main.java" "$source"
has "builds again when a source has changed" building "$("$lifespan" run --no-tree -- true 2>&1)"
