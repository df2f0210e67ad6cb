package io.lifespan.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** {@code kubectl kustomize}, the real one. */
final class Kustomize {

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("kubernetes");

  private Kustomize() {}

  /** What is made of a directory below deploy/kubernetes. */
  static String build(String directory) throws IOException, InterruptedException {
    Process kubectl =
        new ProcessBuilder("kubectl", "kustomize", ROOT.resolve(directory).toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (kubectl.waitFor() != 0) {
      throw new IOException("kubectl kustomize " + directory + " failed: see above");
    }
    return output;
  }
}
