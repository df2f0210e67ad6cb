/** What the library calls cost, by JMH; see {@code benchmarks/pidcache}. */
@NullMarked
package io.lifespan.bench;

import org.jspecify.annotations.NullMarked;
