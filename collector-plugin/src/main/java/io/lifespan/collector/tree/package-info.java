/**
 * The tree of processes that {@code lifespan run} prints on the terminal: recorded, folded, drawn.
 */
@NullMarked
package io.lifespan.collector.tree;

import org.jspecify.annotations.NullMarked;
