package dev.drydock.simulate.export;

import dev.drydock.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * An output file.
 *
 * @param flag the flag that names it, for messages
 */
record FileTarget(String flag, Path file) {
  /** Checked before a large cluster is read. */
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

  /** Created with owner-only permissions; never overwrites a file. */
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
