/**
 * Capture in the kernel: a BPF program writes what it knows of forks, execs and ends into a ring
 * buffer, which is read by its mapping. No process has to be looked at while it lives.
 */
@NullMarked
package io.lifespan.event.ebpf;

import org.jspecify.annotations.NullMarked;
