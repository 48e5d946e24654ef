package dev.drydock.slingshot.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;

/** Follows links as if a folder were the root of the machine. */
final class RootedPaths {
  private static final int MOST_LINKS = 40;

  private RootedPaths() {}

  /**
   * Where a path leads to.
   *
   * @param path absolute, or relative to the root
   * @return a path below the root; empty if it would leave the root, or leads in a circle
   */
  static Optional<Path> resolve(Path root, Path path) throws IOException {
    Deque<Path> left = new ArrayDeque<>();
    path.forEach(left::addLast);
    Path at = root;
    int links = 0;
    while (!left.isEmpty()) {
      Path part = left.removeFirst();
      if (part.toString().isEmpty() || part.toString().equals(".")) {
        continue;
      }
      if (part.toString().equals("..")) {
        if (at.equals(root)) {
          return Optional.empty();
        }
        at = Objects.requireNonNull(at.getParent());
        continue;
      }
      Path next = at.resolve(part);
      if (!Files.isSymbolicLink(next)) {
        at = next;
        continue;
      }
      links++;
      if (links > MOST_LINKS) {
        return Optional.empty();
      }
      Path target = Files.readSymbolicLink(next);
      Deque<Path> more = new ArrayDeque<>();
      target.forEach(more::addLast);
      more.addAll(left);
      left = more;
      at = target.isAbsolute() ? root : at;
    }
    return Optional.of(at);
  }
}
