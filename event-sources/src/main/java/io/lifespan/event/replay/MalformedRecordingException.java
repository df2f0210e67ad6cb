package io.lifespan.event.replay;

import java.io.IOException;

/** A recording that is not of the form that {@link EventRecorder} writes: says where and what. */
public final class MalformedRecordingException extends IOException {

  private static final long serialVersionUID = 1L;

  public MalformedRecordingException(String message) {
    super(message);
  }
}
