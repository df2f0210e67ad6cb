package io.lifespan.event.blocking;

/** How a mount fares. */
public enum MountState {
  /** Not probed yet. */
  UNKNOWN("unknown"),
  /** It answers quickly. */
  HEALTHY("healthy"),
  /** It answers, or has just begun to be late: longer than the bound for slow. */
  SLOW("slow"),
  /** A probe has not returned for longer than the bound for stuck. */
  STUCK("stuck"),
  /** It answers with an error, for example ENOTCONN when a FUSE server is gone. */
  FAILING("failing");

  private final String stateName;

  MountState(String stateName) {
    this.stateName = stateName;
  }

  /** The name in output and telemetry: lower case. */
  public String stateName() {
    return stateName;
  }
}
