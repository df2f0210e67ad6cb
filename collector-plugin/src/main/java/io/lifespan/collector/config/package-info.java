/**
 * What the program is told to do: typed settings with their defaults, read from the command line,
 * system properties, the environment and a file; every error at once.
 */
@NullMarked
package io.lifespan.collector.config;

import org.jspecify.annotations.NullMarked;
