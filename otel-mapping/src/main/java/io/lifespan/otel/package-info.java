/** The mapping: the life of processes in, OpenTelemetry's spans out. */
@NullMarked
package io.lifespan.otel;

import org.jspecify.annotations.NullMarked;
