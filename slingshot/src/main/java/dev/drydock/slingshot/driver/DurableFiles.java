package dev.drydock.slingshot.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Changes of files that are either done or not done, also after a power loss. */
final class DurableFiles {
  private DurableFiles() {}

  /** Puts a finished file in the place of another one. */
  static void replace(Path finished, Path file) throws IOException {
    sync(finished);
    Files.move(finished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(folder(file));
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(folder(file));
    Path unfinished = file.resolveSibling("." + file.getFileName() + ".tmp");
    Files.writeString(unfinished, text);
    replace(unfinished, file);
  }

  /** Copies a file so that it is complete under its new name. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(folder(to));
    Path unfinished = to.resolveSibling("." + to.getFileName() + ".tmp");
    Files.copy(from, unfinished, StandardCopyOption.REPLACE_EXISTING);
    replace(unfinished, to);
  }

  static void sync(Path fileOrFolder) throws IOException {
    try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path folder(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file : folder;
  }

  static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException left) {
      // a leftover, which the next attempt overwrites
    }
  }

  /** Deletes a folder with everything in it; links are not followed. */
  static void deleteTree(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException failed)
              throws IOException {
            if (failed != null) {
              throw failed;
            }
            Files.delete(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
