package io.lifespan.otel;

/**
 * How metrics are made of processes.
 *
 * @param maxExecutables how many names of executables are kept apart; the others are {@code
 *     _OTHER_}
 * @param maxResources how many services, containers and units have metrics of their own; the others
 *     are counted with those of the node
 * @param topProcesses how many processes alive are told of one by one; 0 for none
 * @param explicitBuckets whether histograms have fixed buckets instead of exponential ones
 */
public record MetricOptions(
    int maxExecutables, int maxResources, int topProcesses, boolean explicitBuckets) {

  public static final int DEFAULT_MAX_EXECUTABLES = 200;
  public static final int DEFAULT_MAX_RESOURCES = 200;
  public static final int DEFAULT_TOP_PROCESSES = 20;

  /** Every option with its default. */
  public static MetricOptions defaults() {
    return new MetricOptions(
        DEFAULT_MAX_EXECUTABLES, DEFAULT_MAX_RESOURCES, DEFAULT_TOP_PROCESSES, false);
  }
}
