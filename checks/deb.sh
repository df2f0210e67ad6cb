# The Debian package and its service: built, checked by Debian's own tools, installed, upgraded, removed. It is installed into an overlay
# of this machine's files that nobody else sees and that is gone afterwards.
. "$(dirname "${BASH_SOURCE[0]}")/harness"
"$root/scripts/require" jdk dh dpkg-buildpackage fakeroot lintian systemd-analyze unshare setpriv strace || exit 1

if [[ ${1-} != inside ]]; then
  deb=$("$root/deploy/deb/build" "$work/deb" 1.0) || exit 1
  lintian --allow-root --tag-display-limit 0 "$deb" >"$work/lintian" 2>&1 &
  check "its service is checked in an overlay" unshare -m bash "${BASH_SOURCE[0]}" inside "$deb"
  wait $!
  same "lintian finds nothing" "" "$(grep -v 'root privileges' "$work/lintian")"
  check "the machine itself is as it was" test ! -e /usr/bin/lifespan -a ! -e /etc/default/lifespan
  exit
fi

deb=$2
mount -t tmpfs tmpfs "$work" && mkdir "$work"/{upper,work,root} || exit 1
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root" || exit 1
there=$work/root
mount -t proc proc "$there/proc" && mount --rbind /dev "$there/dev" && mount --rbind /sys "$there/sys" && mount -t tmpfs tmpfs "$there/tmp" || exit 1
chmod 1777 "$there/tmp"
trap - EXIT
cp "$deb" "$there/tmp/first.deb"
in_overlay() { chroot "$there" /usr/bin/env -i PATH="$PATH" LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
says() { "$@" 2>&1 || echo "exit code $?"; }

# Install.
in_overlay dpkg --no-triggers --force-unsafe-io -i /tmp/first.deb >"$work/log" 2>&1
same "it installs" 0 $?
cat "$work/log"
has "the service's user is there" ":/usr/sbin/nologin" "$(in_overlay getent passwd lifespan)"
check "the archive of loaded classes is there" test -s "$(echo "$there"/var/cache/lifespan/lifespan-*.jsa)"
same "the archive is root's, since root's starts use it too" root "$(stat -c %U "$there"/var/cache/lifespan/lifespan-*.jsa)"
has "the service is enabled" lifespan.service "$(ls "$there/etc/systemd/system/multi-user.target.wants")"
same "lifespan run works, silently, from the path" seen "$(in_overlay lifespan run --no-tree -- echo seen 2>&1)"
has "lifespan run uses the archive" "source: shared objects file" \
  "$(in_overlay LIFESPAN_JAVA_OPTIONS='-Xlog:class+load:stderr' lifespan run --no-tree -- true 2>&1 | grep 'io.lifespan.collector.Main ')"

# The unit, by systemd's own tools.
unit=/lib/systemd/system/lifespan.service
same "systemd-analyze verify has nothing to say" "" "$(says in_overlay systemd-analyze verify "$unit")"
sed 's/^ProtectHome=/ProtectHom=/' "$there$unit" >"$there/tmp/wrong.service"
has "and would say if a name were misspelt" "ProtectHom'" "$(says in_overlay systemd-analyze verify /tmp/wrong.service)"
exposure() { in_overlay systemd-analyze security --offline=true --threshold=35 --no-pager "$1" >/dev/null; }
exposed() { ! exposure "$1"; }
check "systemd-analyze security: exposed to 3.5 at most" exposure "$unit"
grep -v '^Restrict\|^Protect\|^Private' "$there$unit" >"$there/tmp/open.service"
check "and would fail if it were not hardened" exposed /tmp/open.service
value() { sed -n "s/^$1=//p" "$there$unit"; }

# The agent as the unit starts it: that user, those capabilities and no others, no way to more.
capabilities=$(value AmbientCapabilities | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
same "what it may have is what it is given" "$(value AmbientCapabilities)" "$(value CapabilityBoundingSet)"
mkdir -m 777 "$there/tmp/otlp"
as_service=(setpriv --reuid=lifespan --regid=lifespan --clear-groups --no-new-privs
  "--inh-caps=-all,$capabilities" "--ambient-caps=-all,$capabilities" "--bounding-set=-all,$capabilities")
doctor=$(in_overlay "${as_service[@]}" lifespan doctor 2>&1)
has "as the service, the connector works" "connector:  works" "$doctor"
has "as the service, capture in the kernel works" "ebpf:       works" "$doctor"
in_overlay OTEL_SDK_DISABLED=true LIFESPAN_BLOCKING_HOST_MOUNTS=true \
  "${as_service[@]}" strace -f -qq -o /tmp/calls sh -c 'echo $$ >/tmp/otlp/pid; exec lifespan agent --otlp-dir /tmp/otlp' 2>"$work/agent" &
for ((i = 0; i < 1200; i++)); do
  grep -q 'lifespan: watching' "$work/agent" && break
  sleep 0.1
done
sh -c 'sleep 0.1; exit 42'
in_overlay sh -c 'kill -TERM "$(cat /tmp/otlp/pid)"'
wait $!
same "as the service, the agent ends well" 0 $?
has "as the service, the agent watches by capture in the kernel" " by ebpf (" "$(cat "$work/agent")"
has "as the service, it has seen a process fail" '"intValue":"42"' "$(cat "$there/tmp/otlp/traces.jsonl")"
expand_set() {
  local name
  for name; do
    if [[ $name == @* ]]; then
      # shellcheck disable=SC2046
      expand_set $(systemd-analyze syscall-filter "$name" | tail -n +2 | sed 's/#.*//')
    else
      echo "$name"
    fi
  done
}
made=$(cat "$there/tmp/calls" | sed -n 's/^[0-9]* *\([a-z][a-z0-9_]*\)(.*/\1/p' | sort -u)
# shellcheck disable=SC2046
allowed=$(expand_set $(value SystemCallFilter) | sort -u)
check "system calls were seen" test "$(wc -w <<<"$made")" -gt 40
same "every system call that it made is one that the unit allows" "" "$(comm -23 <(echo "$made") <(echo "$allowed"))"

# Upgrade: the user's settings stay, the archive is made anew (here by a script that is faster).
echo 'OTEL_SERVICE_NAME=mine' >>"$there/etc/default/lifespan"
dpkg-deb -R "$there/tmp/first.deb" "$work/again"
sed -i 's/^Version:.*/Version: 1.1/' "$work/again/DEBIAN/control"
printf '#!/bin/sh\necho anew >"$2"\n' >"$work/again/usr/share/lifespan/scripts/archive"
dpkg-deb -Znone --root-owner-group -b "$work/again" "$there/tmp/second.deb" >/dev/null
in_overlay dpkg --no-triggers --force-unsafe-io -i /tmp/second.deb >"$work/log" 2>&1
same "it is upgraded" 0 $?
has "the new version is installed" " 1.1 " "$(in_overlay dpkg -l lifespan)"
same "an upgrade keeps changed settings" OTEL_SERVICE_NAME=mine "$(tail -n 1 "$there/etc/default/lifespan")"
same "an upgrade makes the archive anew, and leaves no other" anew "$(cat "$there"/var/cache/lifespan/*.jsa)"

# Remove, purge.
same "it is removed" 0 "$(in_overlay dpkg --no-triggers --force-unsafe-io -r lifespan >/dev/null 2>&1; echo $?)"
check "removed, settings stay and nothing else" test -e "$there/etc/default/lifespan" -a ! -e "$there/usr/share/lifespan" -a ! -e "$there/var/cache/lifespan"
same "it is purged" 0 "$(in_overlay dpkg --no-triggers --force-unsafe-io -P lifespan >/dev/null 2>&1; echo $?)"
same "purged, nothing is left" "" "$(find "$there"/{etc,usr,var,lib/systemd} -path '*lifespan*' ! -path '*/sysusers*' ! -path '*/man/*' 2>/dev/null)"
exit 0
