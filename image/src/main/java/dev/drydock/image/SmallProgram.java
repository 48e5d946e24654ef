package dev.drydock.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Programs that serve a node and have to be small, and how they are started: with a class path of
 * their own, since each jar that is opened costs memory, and with a start-up cache that has only
 * what they load.
 */
@SuppressWarnings("ImmutableEnumChecker") // its lists cannot be changed
enum SmallProgram {
  /** Those that need no cluster. */
  WITHOUT_CLUSTER("small", "CxiProgram", List.of("-Xmx40m"), List.of()),

  /**
   * The driver agent, with what talks to an API server and what unpacks sources. What a cluster
   * answers may be large for a moment.
   */
  DRIVER_AGENT(
      "driver-agent",
      "DriverAgentProgram",
      // it is idle nearly always, and compiled code takes memory
      List.of("-Xmx256m", "-XX:CompileThresholdScaling=6"),
      List.of(
          "commons-codec-",
          "commons-compress-",
          "commons-io-",
          "commons-lang3-",
          "drydock-drain-",
          "jackson-dataformat-yaml-",
          "jackson-datatype-jsr310-",
          "kubernetes-client-",
          "kubernetes-httpclient-jdk-",
          "kubernetes-model-",
          "snakeyaml-",
          "zjsonpatch-"));

  /** As for larger programs, but for these: a few megabytes are collected at a time. */
  private static final List<String> MEMORY =
      List.of(
          "-Xms4m",
          "-Xmn2m",
          "-Xss256k",
          "-XX:ReservedCodeCacheSize=12m",
          "-XX:CICompilerCount=1",
          // what the compiler and the start needed is given back to the system
          "-XX:TrimNativeHeapInterval=5000",
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

  private final String file;
  private final String mainClass;
  private final List<String> moreOptions;
  private final List<String> moreJars;

  /**
   * @param file its files in the image, and the list of its classes, are named after it
   * @param moreOptions of the JVM
   * @param moreJars beginnings of the names of jars that others do not need
   */
  SmallProgram(String file, String mainClass, List<String> moreOptions, List<String> moreJars) {
    this.file = file;
    this.mainClass = mainClass;
    this.moreOptions = moreOptions;
    this.moreJars = moreJars;
  }

  String cache() {
    return file + ".aot";
  }

  /** What the JVM is started with. */
  String arguments() {
    return file + ".args";
  }

  /** The classes that they load; a test of the image writes the list. */
  String classList() {
    return file + "-classes.txt";
  }

  String mainClass() {
    return "dev.drydock.slingshot.command." + mainClass;
  }

  ClassPath jars(ClassPath all) {
    return all.only(Stream.concat(JARS.stream(), moreJars.stream()).toList());
  }

  void writeCache(JavaRuntime runtime, ClassPath all, Path folder) throws IOException {
    // the memory of the JVM that writes it is not that of those that use it
    new StartUpCache(runtime, ImageBuild.OPTIONS, jars(all))
        .writeOnly(classes(), folder.resolve(cache()));
  }

  List<String> options() {
    List<String> options = new ArrayList<>(ImageBuild.OPTIONS);
    options.removeIf(option -> option.matches("-Xmn.*|-XX:M..RAMPercentage=.*"));
    options.addAll(MEMORY);
    options.addAll(moreOptions);
    return options;
  }

  List<String> classes() throws IOException {
    try (InputStream in = SmallProgram.class.getResourceAsStream(classList())) {
      if (in == null) {
        throw new IllegalStateException("packaged without " + classList());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }
}
