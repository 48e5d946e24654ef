package dev.drydock.image;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The program's jars, in the order in which the JVM looks into them. */
record ClassPath(List<Path> jars) {

  /** Copies the chosen jars of a folder: our own first, so that others are opened when needed. */
  static ClassPath copy(Path from, Path to, Predicate<String> chosen) throws IOException {
    Files.createDirectories(to);
    List<Path> own = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (Path jar : Folders.content(from)) {
      String name = jar.getFileName().toString();
      if (chosen.test(name)) {
        (isOwn(name) ? own : others).add(Files.copy(jar, to.resolve(name)));
      }
    }
    own.addAll(others);
    return new ClassPath(List.copyOf(own));
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
