/** Answers those who ask over HTTP how the agent is: kubelets, load balancers, watchdogs. */
@NullMarked
package io.lifespan.collector.health;

import org.jspecify.annotations.NullMarked;
