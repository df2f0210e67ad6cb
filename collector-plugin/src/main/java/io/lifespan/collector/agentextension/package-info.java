/**
 * The same jar in the OpenTelemetry Java agent, or beside any SDK that configures itself: watches
 * the service's own processes, and hands the trace on to them.
 */
@NullMarked
package io.lifespan.collector.agentextension;

import org.jspecify.annotations.NullMarked;
