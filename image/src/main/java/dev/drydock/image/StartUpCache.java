package dev.drydock.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The JVM's start-up cache, an archive of classes that need not be read, verified and linked again.
 * It is made of a sorted list of classes, and not by a training run as that of the launcher, so
 * that its bytes do not depend on when which thread loads what. The JVM writes the class path into
 * it and compares all but its beginning, so a relative one is good for any place.
 *
 * @param options those that the program runs with
 */
record StartUpCache(JavaRuntime runtime, List<String> options, ClassPath classPath) {
  /** Jars that every process uses much of: their classes are all in the cache. */
  private static final List<String> WHOLE =
      List.of(
          "drydock-",
          "jackson-core-",
          "jackson-databind-",
          "kubernetes-client-api-",
          "kubernetes-httpclient-jdk-",
          "logback-",
          "slf4j-api-");

  /** After so many different ones the last one is taken. */
  private static final int MOST_DIFFERENT = 5;

  void write(Path training, Path cache) throws IOException {
    Path list = cache.resolveSibling(cache.getFileName() + ".classes");
    Files.write(list, classes(training, list));
    // The JVM's own threads run meanwhile, and what they have called is in the archive. With a
    // small
    // young generation they run early and often; in any case two equal archives are wanted.
    Set<String> seen = new HashSet<>();
    do {
      Tool.require(
          classPath.folder(),
          java(
              "-Xmn2m",
              "-Xshare:dump",
              "-XX:SharedClassListFile=" + list,
              "-XX:SharedArchiveFile=" + cache,
              "-cp",
              classPath.in(".")));
    } while (seen.add(Checksum.ofFile(cache)) && seen.size() < MOST_DIFFERENT);
    Files.delete(list);
  }

  private Set<String> classes(Path training, Path raw) throws IOException {
    List<String> command =
        java("-XX:DumpLoadedClassList=" + raw, "-cp", classPath.in(".") + ":" + training);
    // of one thread, and so always the same: commands that contact no cluster
    command.add("dev.drydock.training.StartUpTraining");
    Tool.require(classPath.folder(), command);
    Set<String> classes = new TreeSet<>();
    addList(raw, classes);
    // what the JDK itself has in such an archive
    addList(Path.of(System.getProperty("java.home"), "lib", "classlist"), classes);
    for (Path jar : classPath.jars()) {
      if (WHOLE.stream().anyMatch(jar.getFileName().toString()::startsWith)) {
        addJar(jar, classes);
      }
    }
    return classes;
  }

  private static void addList(Path file, Set<String> classes) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .filter(line -> !line.startsWith("#") && !line.startsWith("@cp "))
          // of class loaders other than the application's, and the training itself
          .filter(line -> !line.contains("source:") && !line.contains("dev/drydock/training/"))
          .map(line -> line.replaceFirst(" id: .*", ""))
          .forEach(classes::add);
    }
  }

  private static void addJar(Path file, Set<String> classes) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      jar.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
          .filter(name -> !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .forEach(classes::add);
    }
  }

  private List<String> java(String... more) {
    List<String> command = new ArrayList<>();
    command.add(runtime.java().toString());
    command.addAll(options);
    command.add("-Xmx512m"); // which is in the archive, too, and otherwise depends on the machine
    command.addAll(List.of(more));
    return command;
  }
}
