#!/bin/bash
# The object that captures in the kernel is what its source gives: byte for byte with clang 14, and compiles with others.
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
object=$root/event-sources/src/main/resources/io/lifespan/event/ebpf/lifespan.bpf.o
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! "$root/scripts/bpf" "$work/lifespan.bpf.o"; then
  echo "not ok - the program for the kernel compiles"
  exit 1
fi
echo "ok - the program for the kernel compiles"
clang=$(type -P clang-14 || type -P clang)
if [[ $("$clang" -dumpversion) == 14.* ]]; then
  if cmp "$work/lifespan.bpf.o" "$object"; then
    echo "ok - the object in the repository is what its source gives"
  else
    echo "not ok - the object in the repository is what its source gives; run scripts/bpf"
    exit 1
  fi
fi
