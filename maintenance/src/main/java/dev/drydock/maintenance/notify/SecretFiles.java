package dev.drydock.maintenance.notify;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads what is secret from files, every time anew, so that a mounted Secret can be changed while
 * we run. Messages of failures name the file and never what is in it.
 */
final class SecretFiles {
  private SecretFiles() {}

  static String read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new IOException(
          "cannot read %s (%s)".formatted(file, unreadable.getClass().getSimpleName()), unreadable);
    }
    if (text.isEmpty()) {
      throw new IOException(file + " is empty");
    }
    return text;
  }

  static URI address(ChannelSettings settings) throws IOException {
    Path file = settings.urlFile();
    String url = file == null ? settings.url() : read(file);
    if (url == null) {
      throw new IOException("no url");
    }
    return ChannelSettings.parse(url)
        .orElseThrow(() -> new IOException(file + " holds no http:// or https:// address"));
  }
}
