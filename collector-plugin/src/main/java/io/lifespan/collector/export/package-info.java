/**
 * Where telemetry leaves the program: OTLP over gRPC and HTTP, OTLP JSON lines, and what became of
 * it.
 */
@NullMarked
package io.lifespan.collector.export;

import org.jspecify.annotations.NullMarked;
