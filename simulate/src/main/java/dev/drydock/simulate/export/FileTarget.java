package dev.drydock.simulate.export;

import dev.drydock.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that is going to be written.
 *
 * @param flag what the user calls it by
 */
record FileTarget(String flag, Path file) {
  /** Before a large cluster is read for nothing. */
  void check() {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw CommandFailure.usage(flag + " " + file + ": is a folder; name a file in it");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandFailure.usage(flag + " " + file + ": there is no folder " + folder);
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw CommandFailure.usage(flag + " " + file + ": may not be written");
    }
  }

  void write(String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw failed(failure);
    }
  }

  /** So that nobody else can read it, not even for a moment; never over another file. */
  void writeSecret(String text) {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] mode =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    try {
      Files.createFile(file, mode);
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw failed(failure);
    }
  }

  private CommandFailure failed(IOException failure) {
    String why =
        failure instanceof FileAlreadyExistsException
            ? "it exists already; name a new file"
            : String.valueOf(failure.getMessage());
    return new CommandFailure("cannot write " + file + ": " + why, failure);
  }
}
