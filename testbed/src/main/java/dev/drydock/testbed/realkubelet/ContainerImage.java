package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.TestbedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A container image with one layer, made of statically linked programs of this machine. {@code
 * programs} maps paths in the image to files here; {@code links} maps symbolic links in the image
 * to their targets.
 */
public record ContainerImage(
    String name, Map<String, Path> programs, Map<String, String> links, List<String> command) {

  /** The name of {@link #busybox()} for pods; use it with {@code imagePullPolicy: Never}. */
  public static final String BUSYBOX = "drydock.local/busybox:testbed";

  public ContainerImage {
    programs = Map.copyOf(programs);
    links = Map.copyOf(links);
    command = List.copyOf(command);
    if (!name.matches("[a-z0-9-]+\\.[a-z0-9.-]+/[a-z0-9/._-]+:[A-Za-z0-9._-]+")) {
      // a name without a host would refer to a public registry
      throw new IllegalArgumentException(
          "image name '%s' should read like example.local/name:tag".formatted(name));
    }
    programs.values().forEach(ContainerImage::requireStatic);
  }

  /** An image of one program, which runs without arguments unless a pod sets some. */
  public static ContainerImage ofProgram(String name, Path program) {
    String path = "bin/" + program.getFileName();
    return new ContainerImage(name, Map.of(path, program), Map.of(), List.of("/" + path));
  }

  /** A shell and the common Unix programs. Its default command sleeps. */
  public static ContainerImage busybox() {
    Path busybox =
        SystemCommand.find("busybox")
            .orElseThrow(() -> new TestbedException("busybox is missing: install busybox-static"));
    Map<String, String> applets =
        SystemCommand.run(busybox.toString(), "--list")
            .output()
            .lines()
            .filter(applet -> !applet.equals("busybox"))
            .collect(Collectors.toMap(applet -> "bin/" + applet, applet -> "busybox"));
    return new ContainerImage(
        BUSYBOX, Map.of("bin/busybox", busybox), applets, List.of("/bin/sleep", "2147483647"));
  }

  /** Writes the archive that {@code ctr images import} reads. */
  void writeTo(Path archive) throws IOException {
    Path layer = Files.createTempFile(archive.toAbsolutePath().getParent(), "layer", ".tar");
    try {
      String digest = writeLayer(layer);
      try (TarWriter tar = new TarWriter(Files.newOutputStream(archive))) {
        tar.file("config.json", 0644, bytes(config(digest)));
        tar.file("layer.tar", 0644, layer);
        tar.file(
            "manifest.json",
            0644,
            bytes(
                "[{\"Config\":\"config.json\",\"RepoTags\":[\"%s\"],\"Layers\":[\"layer.tar\"]}]"
                    .formatted(name)));
      }
    } finally {
      Files.delete(layer);
    }
  }

  private String writeLayer(Path layer) throws IOException {
    MessageDigest digest = sha256();
    try (OutputStream out = new DigestOutputStream(Files.newOutputStream(layer), digest);
        TarWriter tar = new TarWriter(out)) {
      tar.directory("bin", 0755);
      tar.directory("etc", 0755);
      tar.directory("tmp", 01777);
      tar.file("etc/passwd", 0644, bytes("root:x:0:0:root:/:/bin/sh\n"));
      for (Map.Entry<String, Path> program : new TreeMap<>(programs).entrySet()) {
        tar.file(program.getKey(), 0755, program.getValue());
      }
      for (Map.Entry<String, String> link : new TreeMap<>(links).entrySet()) {
        tar.link(link.getKey(), link.getValue());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private String config(String layerDigest) {
    return """
        {"architecture":"%s","os":"linux","config":{"Env":["PATH=/bin"],"Cmd":[%s]},\
        "rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}"""
        .formatted(
            architecture(),
            command.stream().map("\"%s\""::formatted).collect(Collectors.joining(",")),
            layerDigest);
  }

  /** This machine's, as images call it. */
  static String architecture() {
    String architecture = System.getProperty("os.arch");
    return architecture.equals("aarch64") ? "arm64" : architecture;
  }

  private static void requireStatic(Path program) {
    if (!isStatic(program)) {
      throw new IllegalArgumentException(
          "%s needs libraries that an image of one program does not have: link it statically"
              .formatted(program));
    }
  }

  /** A dynamically linked program names its loader near its start. */
  static boolean isStatic(Path program) {
    try (var in = Files.newInputStream(program)) {
      String start = new String(in.readNBytes(8192), StandardCharsets.ISO_8859_1);
      return start.startsWith("\u007fELF") && !start.contains("/ld-");
    } catch (IOException e) {
      throw new TestbedException("cannot read " + program, e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
