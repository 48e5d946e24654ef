package dev.drydock.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A package of Debian in the version that the image contains. This machine's apt-get fetches it,
 * from wherever it is set up to; the checksum says that it is the right one.
 */
record DebianPackage(String architecture, String name, String version, String sha256) {
  private static final String PINS = "debian-packages.txt";
  private static final String LISTS = "lists";
  private static final String CACHE = "cache";

  /** Those of the image for this architecture. */
  static List<DebianPackage> pinned(String architecture) {
    try (InputStream in = DebianPackage.class.getResourceAsStream(PINS)) {
      if (in == null) {
        throw new IllegalStateException("packaged without " + PINS);
      }
      List<DebianPackage> packages =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split(" ", -1))
              .map(words -> new DebianPackage(words[0], words[1], words[2], words[3]))
              .filter(each -> each.architecture().equals(architecture))
              .toList();
      if (packages.isEmpty()) {
        throw new ImageFailure(
            "no packages are known for %s: add them to %s".formatted(architecture, PINS));
      }
      return packages;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it has the certificate authorities that every runtime trusts. */
  boolean isAuthorities() {
    return name.equals("ca-certificates");
  }

  /** Unpacks the packages into one folder, which they then share as on a Debian machine. */
  static void unpack(List<DebianPackage> packages, Path folder) throws IOException {
    String home = System.getProperty("user.home");
    Path cache =
        Path.of(System.getenv().getOrDefault("XDG_CACHE_HOME", home + "/.cache"))
            .resolve("drydock/debian");
    Files.createDirectories(folder);
    for (DebianPackage each : packages) {
      each.unpack(cache, folder);
    }
  }

  /** Fetches the package once for all builds of this user. */
  private void unpack(Path cache, Path folder) throws IOException {
    Path file = cache.resolve(name + "-" + sha256 + ".deb");
    if (!Files.exists(file) || !Checksum.ofFile(file).equals(sha256)) {
      fetch(Files.createDirectories(cache), file);
    }
    Tool.require(cache, List.of("dpkg-deb", "--extract", file.toString(), folder.toString()));
  }

  private void fetch(Path cache, Path file) throws IOException {
    Path folder = Files.createTempDirectory(cache, "fetch-");
    try {
      // apt-get does not make them
      Files.createDirectories(folder.resolve(LISTS).resolve("partial"));
      Files.createDirectories(folder.resolve(CACHE).resolve("archives/partial"));
      Path fetched = download(folder).or(() -> afterUpdate(folder)).orElseThrow(this::gone);
      if (!Checksum.ofFile(fetched).equals(sha256)) {
        throw new ImageFailure(
            "%s %s has the wrong checksum %s: nothing is built of it"
                .formatted(name, version, Checksum.ofFile(fetched)));
      }
      Files.move(fetched, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Folders.delete(folder);
    }
  }

  private Optional<Path> download(Path folder, String... options) {
    List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
    command.addAll(List.of(options));
    command.addAll(List.of("download", name + "=" + version));
    Tool.Result result = Tool.run(folder, command);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(each -> result.succeeded() && each.toString().endsWith(".deb"))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With lists of packages of its own: the machine's may be old, or belong to somebody else. */
  private Optional<Path> afterUpdate(Path folder) {
    List<String> options =
        List.of(
            "-o",
            "Dir::State::lists=" + folder.resolve(LISTS),
            "-o",
            "Dir::Cache=" + folder.resolve(CACHE));
    List<String> update = new ArrayList<>(List.of("apt-get", "-q", "-y", "update"));
    update.addAll(options);
    Tool.Result updated = Tool.run(folder, update);
    return updated.succeeded()
        ? download(folder, options.toArray(String[]::new))
        : Optional.empty();
  }

  private ImageFailure gone() {
    return new ImageFailure(
        "cannot fetch %s %s of Debian 12: apt-get needs a network and sources of Debian 12; if Debian has replaced it, put the version and SHA256 of 'apt-cache show %s' into %s"
            .formatted(name, version, name, PINS));
  }
}
