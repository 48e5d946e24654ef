package dev.drydock.image;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program's jars, in the order in which the JVM looks into them. */
record ClassPath(List<Path> jars) {

  /**
   * Moves the jars of a folder: our own come first, so that others are opened when needed. What is
   * in them for other platforms is left out. The folder is removed, because Maven only adds to it
   * and would leave those of earlier builds.
   */
  static ClassPath take(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    List<Path> own = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (Path jar : Folders.content(from)) {
      String name = jar.getFileName().toString();
      Path taken = Files.move(jar, to.resolve(name));
      ForeignPlatforms.leaveOut(taken);
      (isOwn(name) ? own : others).add(taken);
    }
    Folders.delete(from);
    own.addAll(others);
    return new ClassPath(List.copyOf(own));
  }

  /** Those whose names begin with one of these, in the same folder. */
  ClassPath only(List<String> prefixes) {
    return new ClassPath(
        jars.stream()
            .filter(jar -> prefixes.stream().anyMatch(jar.getFileName().toString()::startsWith))
            .toList());
  }

  static boolean isOwn(String jar) {
    return jar.startsWith("drydock-");
  }

  /** As an argument of the JVM, with another folder in place of the one that they are in here. */
  String in(String folder) {
    return String.join(":", jars.stream().map(jar -> folder + "/" + jar.getFileName()).toList());
  }

  /** Where they are here. */
  Path folder() {
    return requireNonNull(jars.getFirst().getParent());
  }
}
