package dev.drydock.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /** Charset, locale and time zone decide which classes a JVM loads. */
  private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C.UTF-8", "TZ", "UTC");

  /**
   * Room for all that the JVM allocates while it writes the archive. Which interned strings the
   * archive has depends on what was collected before, and when that happens depends even on the
   * length of the path to the runtime. So the only collection is the one that the JVM does at the
   * end.
   */
  private static final List<String> WITHOUT_COLLECTIONS =
      List.of("-Xmn400m", "-XX:MetaspaceSize=400m", "-Xlog:gc:stdout");

  /** More different ones than this have a cause that must be found. */
  private static final int MOST_DIFFERENT = 4;

  /** Names the classes of a cache; may use the file for itself. */
  @FunctionalInterface
  interface ClassList {
    Set<String> read(Path file) throws IOException;
  }

  /** Writes a cache of all classes that a run of the training loads, and more. */
  void write(Path training, Path cache) throws IOException {
    write(list -> classes(training, list), cache);
  }

  /**
   * Of these classes and no others. The kernel has all of a cache in the memory of each process
   * that uses it, so one for small programs must be small.
   */
  void writeOnly(List<String> classes, Path cache) throws IOException {
    write(_ -> new TreeSet<>(classes), cache);
  }

  /** Writes it until two are equal: on a busy machine, about one of thirty was seen to differ. */
  private void write(ClassList classes, Path cache) throws IOException {
    Set<String> seen = new HashSet<>();
    do {
      if (seen.size() == MOST_DIFFERENT) {
        throw new ImageFailure(
            "%d start-up caches in a row all differ: build again on a machine with less load"
                .formatted(MOST_DIFFERENT));
      }
      writeOnce(classes, cache);
    } while (seen.add(Checksum.ofFile(cache)));
  }

  private void writeOnce(ClassList classes, Path cache) throws IOException {
    Path list = cache.resolveSibling(cache.getFileName() + ".classes");
    Files.write(list, classes.read(list));
    List<String> command = java(WITHOUT_COLLECTIONS);
    command.addAll(
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + cache,
            "-cp",
            classPath.in(".")));
    checkCollections(Tool.require(classPath.folder(), command, ENVIRONMENT));
    Files.delete(list);
  }

  /** Fails if there was more than the JVM's own collection at the end. */
  static void checkCollections(String log) {
    long collections = log.lines().filter(line -> line.contains("Pause")).count();
    if (collections != 1) {
      throw new ImageFailure(
          "the JVM collected garbage %d times while it wrote the start-up cache, but only a cache with 1 collection is always the same: give it more memory in StartUpCache"
              .formatted(collections));
    }
  }

  private Set<String> classes(Path training, Path raw) throws IOException {
    List<String> command =
        java(List.of("-XX:DumpLoadedClassList=" + raw, "-cp", classPath.in(".") + ":" + training));
    // of one thread, and so always the same: commands that contact no cluster
    command.add("dev.drydock.training.StartUpTraining");
    Tool.require(classPath.folder(), command, ENVIRONMENT);
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

  private List<String> java(List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(runtime.java().toString());
    command.addAll(options);
    command.add("-Xmx512m"); // which is in the archive, too, and otherwise depends on the machine
    command.addAll(more);
    return command;
  }
}
