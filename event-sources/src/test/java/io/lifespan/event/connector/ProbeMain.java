package io.lifespan.event.connector;

import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.ProcFsReader;

/** Prints whether the source can be had where it runs, and what it then says of itself. */
final class ProbeMain {

  private ProbeMain() {}

  public static void main(String[] arguments) throws UnavailableException {
    ConnectorSource source = new ConnectorSource(Listening.options(), new ProcFsReader());
    String answer = source.probe().map(Unavailable::toString).orElse("available");
    System.out.println(answer);
    if (answer.equals("available")) {
      source.open();
      System.out.println(source.describe());
      source.close();
    }
  }
}
