/**
 * The life of one command's processes from lifecycle stops of ptrace(2): exact, and without any
 * privilege.
 */
@NullMarked
package io.lifespan.event.ptrace;

import org.jspecify.annotations.NullMarked;
