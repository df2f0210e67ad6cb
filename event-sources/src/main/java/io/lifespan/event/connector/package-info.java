/**
 * The kernel's proc connector: fork, exec, exit and the rest over a netlink socket, filtered in the
 * kernel.
 */
@NullMarked
package io.lifespan.event.connector;

import org.jspecify.annotations.NullMarked;
