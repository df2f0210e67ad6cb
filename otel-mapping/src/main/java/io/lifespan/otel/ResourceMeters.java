package io.lifespan.otel;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Meters for many Resources at once: what is measured belongs to the service, container or unit
 * that is observed, and not to whoever observes it. The SDK's meter provider has one Resource, so
 * each Resource has a provider of its own here; {@link #producer} gathers them all for one
 * destination, whose reader then exports them together.
 *
 * <p>Thread-safe.
 */
public final class ResourceMeters {

  private final List<Destination> destinations = new ArrayList<>();
  private final Map<Resource, Group> lasting = new ConcurrentHashMap<>();
  private final Map<Resource, Group> passing = new ConcurrentHashMap<>();
  private final MetricOptions options;

  /**
   * @param temporalities for each destination, whether sums are told since the beginning or since
   *     the last time
   */
  public ResourceMeters(
      List<? extends AggregationTemporalitySelector> temporalities, MetricOptions options) {
    this.options = options;
    temporalities.forEach(temporality -> destinations.add(new Destination(temporality)));
  }

  /** The meter whose measurements are told as of this Resource, made if there is none. */
  public Meter meter(Resource resource) {
    return provider(resource).get(Semconv.SCOPE);
  }

  /** As {@link #meter}, for other scopes. */
  public MeterProvider provider(Resource resource) {
    return lasting.computeIfAbsent(resource, this::make).provider;
  }

  /** As {@link #meter}, for what may be forgotten by {@link #retire}. */
  Meter passing(Resource resource) {
    return passing.computeIfAbsent(resource, this::make).provider.get(Semconv.SCOPE);
  }

  /** Whether sums of this kind are told to a destination since the last time only. */
  boolean isDelta(int destination, InstrumentType type) {
    return destinations.get(destination).temporality.getAggregationTemporality(type)
        == AggregationTemporality.DELTA;
  }

  /** How many destinations there are, numbered from 0. */
  public int destinations() {
    return destinations.size();
  }

  /**
   * Forgets what {@link #passing} measured in a Resource: what came since the last collection is
   * told once more, then its series are gone.
   */
  void retire(Resource resource) {
    Group group = passing.remove(resource);
    if (group != null) {
      group.readers.forEach(reader -> reader.last = true);
    }
  }

  /** Adds what is measured elsewhere to what a destination is told. */
  public void add(int destination, MetricProducer producer) {
    destinations.get(destination).others.add(producer);
  }

  /**
   * Everything measured, for the reader of a destination. The Resource that it is given is not
   * used.
   */
  public MetricProducer producer(int destination) {
    return unused -> destinations.get(destination).collect();
  }

  private Group make(Resource resource) {
    SdkMeterProviderBuilder builder = SdkMeterProvider.builder().setResource(resource);
    List<GroupReader> readers = new ArrayList<>(destinations.size());
    for (Destination destination : destinations) {
      GroupReader reader = new GroupReader(destination.temporality);
      builder.registerMetricReader(reader, type -> cardinality());
      destination.readers.add(reader);
      readers.add(reader);
    }
    return new Group(builder.build(), readers);
  }

  /**
   * Room for every name with every error that is told apart: what bounds series is {@link
   * ExecutableSeries}.
   */
  private int cardinality() {
    return (options.maxExecutables() + 2) * (ExecutableSeries.MAX_ERROR_TYPES + 3);
  }

  private record Group(SdkMeterProvider provider, List<GroupReader> readers) {}

  private static final class Destination {
    private final AggregationTemporalitySelector temporality;
    private final Queue<GroupReader> readers = new ConcurrentLinkedQueue<>();
    private final List<MetricProducer> others = new CopyOnWriteArrayList<>();

    Destination(AggregationTemporalitySelector temporality) {
      this.temporality = temporality;
    }

    Collection<MetricData> collect() {
      List<MetricData> all = new ArrayList<>();
      readers.removeIf(
          reader -> {
            boolean last = reader.last;
            all.addAll(reader.registration.collectAllMetrics());
            return last;
          });
      others.forEach(other -> all.addAll(other.produce(Resource.empty())));
      return all;
    }
  }

  /** Reads one provider for one destination, when it is asked to. */
  private final class GroupReader implements MetricReader {
    private final AggregationTemporalitySelector temporality;
    private volatile CollectionRegistration registration = CollectionRegistration.noop();
    private volatile boolean last;

    GroupReader(AggregationTemporalitySelector temporality) {
      this.temporality = temporality;
    }

    @Override
    public void register(CollectionRegistration given) {
      registration = given;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return temporality.getAggregationTemporality(type);
    }

    @Override
    public Aggregation getDefaultAggregation(InstrumentType type) {
      return type == InstrumentType.HISTOGRAM && !options.explicitBuckets()
          ? Aggregation.base2ExponentialBucketHistogram()
          : Aggregation.defaultAggregation();
    }

    @Override
    public CompletableResultCode forceFlush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
