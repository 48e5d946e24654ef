package dev.drydock.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How programs are started that serve a node without a cluster and have to be small: with a class
 * path of their own, since each jar that is opened costs memory, and with a start-up cache that has
 * only what they load.
 */
final class SmallPrograms {
  static final String MAIN_CLASS = "dev.drydock.slingshot.command.CxiProgram";

  /** The classes that the programs load; a test of the image writes the list. */
  static final String CLASSES = "small-classes.txt";

  /** As for larger programs, but for these: a few megabytes are collected at a time. */
  private static final List<String> MEMORY =
      List.of(
          "-Xms4m",
          "-Xmn2m",
          "-Xmx40m",
          "-Xss256k",
          "-XX:ReservedCodeCacheSize=12m",
          "-XX:CICompilerCount=1",
          // otherwise every jar is searched for one
          "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider");

  private static final List<String> JARS =
      List.of(
          "drydock-cli-",
          "drydock-contracts-",
          "drydock-kube-",
          "drydock-picocli-",
          "drydock-serve-",
          "drydock-slingshot-",
          "failureaccess-",
          "grpc-",
          "guava-",
          "jackson-annotations-",
          "jackson-core-",
          "jackson-databind-",
          "kubernetes-client-api-",
          "logback-",
          "netty-",
          "perfmark-api-",
          "prometheus-metrics-",
          "protobuf-java-",
          "slf4j-api-");

  private final JavaRuntime runtime;
  private final ClassPath jars;

  SmallPrograms(JavaRuntime runtime, ClassPath all) {
    this.runtime = runtime;
    this.jars = all.only(JARS);
  }

  ClassPath jars() {
    return jars;
  }

  void writeCache(Path file) throws IOException {
    // the memory of the JVM that writes it is not that of those that use it
    new StartUpCache(runtime, ImageBuild.OPTIONS, jars).writeOnly(classes(), file);
  }

  static List<String> options() {
    List<String> options = new ArrayList<>(ImageBuild.OPTIONS);
    options.removeIf(option -> option.matches("-Xmn.*|-XX:M..RAMPercentage=.*"));
    options.addAll(MEMORY);
    return options;
  }

  static List<String> classes() throws IOException {
    try (InputStream in = SmallPrograms.class.getResourceAsStream(CLASSES)) {
      if (in == null) {
        throw new IllegalStateException("packaged without " + CLASSES);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }
}
