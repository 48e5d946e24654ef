import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that every Java source is formatted, or with {@code apply} formats it. Run by the build.
 */
final class Format {
  public static void main(String[] args) throws IOException {
    boolean apply = args[0].equals("apply");
    if (!apply && !args[0].equals("check")) {
      System.err.println("-Dformat takes check or apply, not " + args[0]);
      System.exit(2);
    }
    // nothing else is built meanwhile: all processors work on it
    List<Path> unformatted =
        sources().parallelStream().filter(source -> isUnformatted(source, apply)).toList();
    if (!unformatted.isEmpty() && !apply) {
      unformatted.forEach(source -> System.err.println("not formatted: " + source));
      System.err.println("run: mvn validate -N -Dformat=apply");
      System.exit(1);
    }
  }

  private static boolean isUnformatted(Path source, boolean apply) {
    try {
      String text = Files.readString(source);
      String tidy =
          ImportOrderer.reorderImports(RemoveUnusedImports.removeUnusedImports(text), Style.GOOGLE);
      String formatted = new Formatter().formatSource(tidy);
      if (formatted.equals(text)) {
        return false;
      }
      if (apply) {
        Files.writeString(source, formatted);
      }
      return true;
    } catch (FormatterException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    Files.walkFileTree(
        Path.of(""),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName() == null ? "" : dir.getFileName().toString();
            return name.equals("target") || (name.startsWith(".") && name.length() > 1)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }
}
