package dev.drydock.testbed.realkubelet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes template files of the testbed, with each {@code @name@} replaced by its value. */
record NodeFiles(Path folder, Map<String, String> values) {
  private static final Pattern NAME = Pattern.compile("@(\\w+)@");

  NodeFiles {
    values = Map.copyOf(values);
  }

  Path write(String resource, String file) throws IOException {
    Path target = folder.resolve(file);
    Files.createDirectories(target.toAbsolutePath().getParent());
    return Files.writeString(target, text(resource));
  }

  String text(String resource) throws IOException {
    return NAME.matcher(template(resource))
        .replaceAll(found -> Matcher.quoteReplacement(value(resource, found.group(1))));
  }

  private String value(String resource, String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("%s contains an unknown @%s@".formatted(resource, name));
    }
    return value;
  }

  private static String template(String resource) throws IOException {
    try (InputStream in = NodeFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("the testbed was packaged without " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
