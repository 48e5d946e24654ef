package dev.drydock.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the image of everything that runs in a cluster. */
public final class ImageBuild {
  /** Where the program is in the image. */
  private static final String HOME = "opt/drydock";

  /** Not root; the manifests name it by number, so that the kubelet can check it. */
  private static final String USER = "65532";

  /**
   * As in the launcher, but the container's memory limit decides on the heap. The rest is for the
   * JVM itself, the cache and network buffers.
   */
  static final List<String> OPTIONS =
      List.of(
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:MaxRAMPercentage=60",
          "-XX:MinRAMPercentage=60", // which the JVM takes if the limit is small
          "-Xmn24m",
          "-XX:MinHeapFreeRatio=10",
          "-XX:MaxHeapFreeRatio=30",
          "-XX:TieredStopAtLevel=1",
          "-XX:CompileThresholdScaling=2",
          "-XX:-AOTReplayTraining",
          "-XX:ArchiveRelocationMode=0",
          "-Xlog:disable",
          "-Xlog:all=error:stderr",
          "-Djdk.reflect.useNativeAccessorOnly=true",
          "-Dpicocli.disable.closures=true",
          // a retry handler of one device becomes cxi_rh by a call of the system's library
          "--enable-native-access=ALL-UNNAMED");

  /** Names of busybox: what retry handlers are started with, which are not ours. */
  private static final List<String> BUSYBOX =
      List.of("cat", "chroot", "grep", "ls", "mkdir", "sh", "sleep", "umount");

  /** What a JVM needs of libc6; the rest is for programs that are not there. */
  private static final List<String> LIBRARIES =
      List.of(
          "ld-linux-x86-64.so.2",
          "libc.so.6",
          "libdl.so.2",
          "libm.so.6",
          "libnss_dns.so.2",
          "libnss_files.so.2",
          "libpthread.so.0",
          "libresolv.so.2",
          "librt.so.1");

  private static final String LIBRARY_FOLDER = "lib/x86_64-linux-gnu/";

  /** What changes least comes first, so that nodes have most layers of a new version already. */
  private static final List<String> LAYERS = List.of("debian", "java", "libraries", "drydock");

  private final Arguments arguments;
  private final Path root;
  private final Path home;

  private ImageBuild(Arguments arguments) {
    this.arguments = arguments;
    this.root = arguments.path("--work").resolve("root");
    this.home = root.resolve(HOME);
  }

  public static void main(String[] words) throws IOException {
    Arguments.run(words, arguments -> new ImageBuild(arguments).run());
  }

  /** The image's name; whoever pushes it gives it the name of a registry. */
  static String name(String version) {
    return "drydock.local/drydock:" + version;
  }

  private String run() throws IOException {
    Path work = arguments.path("--work");
    Path output = arguments.path("--output");
    Instant time = Instant.parse(arguments.text("--time"));
    Files.deleteIfExists(output); // a build that fails leaves no older one behind
    Folders.delete(work);
    Files.createDirectories(home);
    String architecture = System.getProperty("os.arch");
    List<DebianPackage> packages = DebianPackage.pinned(architecture);
    Path debian = work.resolve("debian");
    DebianPackage.unpack(packages, debian);
    takeFrom(debian, packages);
    JavaRuntime runtime = JavaRuntime.link(home.resolve("java"), debian);
    ClassPath jars = ClassPath.take(arguments.path("--jars"), home.resolve("lib"));
    new Sbom(arguments.path("--bom")).with(packages).withRuntime().write(home.resolve("bom.json"));
    // the cache holds the times of the jars, so they must be those in the image
    Folders.setTimes(root, FileTime.from(time));
    new StartUpCache(runtime, OPTIONS, jars)
        .write(arguments.path("--training"), home.resolve("start-up.aot"));
    for (SmallProgram small : SmallProgram.values()) {
      small.writeCache(runtime, jars, home);
    }
    runtime.keepOnlyJava();
    Files.writeString(
        home.resolve("java.args"),
        javaArguments(OPTIONS, "start-up.aot", jars, "dev.drydock.app.Drydock"));
    for (SmallProgram small : SmallProgram.values()) {
      Files.writeString(
          home.resolve(small.arguments()),
          javaArguments(small.options(), small.cache(), small.jars(jars), small.mainClass()));
    }
    OciImage image =
        new OciImage(
            name(arguments.text("--version")),
            architecture,
            USER + ":" + USER,
            List.of("LANG=C.UTF-8"),
            List.of("/" + HOME + "/java/bin/java", "@/" + HOME + "/java.args"),
            labels(),
            time);
    Files.createDirectories(output.getParent());
    String digest =
        image.write(
            root,
            LAYERS.stream()
                .map(name -> new OciImage.Layer(name, path -> layer(path).equals(name)))
                .toList(),
            work,
            output);
    return "image %s %s: %.1f MiB, %.1f MiB unpacked; %s"
        .formatted(
            image.name(),
            digest,
            mebibytes(List.of(output)),
            mebibytes(Folders.content(root).stream().filter(Files::isRegularFile).toList()),
            output);
  }

  private void takeFrom(Path debian, List<DebianPackage> packages) throws IOException {
    for (DebianPackage each : packages) {
      copy(debian, "usr/share/doc/" + each.name() + "/copyright");
    }
    for (String library : LIBRARIES) {
      copy(debian, LIBRARY_FOLDER + library);
    }
    copy(debian, "bin/busybox");
    for (String name : BUSYBOX) {
      Files.createSymbolicLink(root.resolve("bin").resolve(name), Path.of("busybox"));
    }
    // Debian's busybox has none.
    Files.copy(debian.resolve("usr/bin/flock"), root.resolve("bin/flock"));
    Path loader = Files.createDirectories(root.resolve("lib64")).resolve(LIBRARIES.getFirst());
    Files.createSymbolicLink(loader, Path.of("/" + LIBRARY_FOLDER + LIBRARIES.getFirst()));
    Path etc = Files.createDirectories(root.resolve("etc"));
    Files.createDirectories(root.resolve("tmp"));
    Files.writeString(etc.resolve("nsswitch.conf"), "hosts: files dns\n");
    Files.writeString(
        etc.resolve("passwd"),
        "root:x:0:0:root:/:/none\ndrydock:x:%1$s:%1$s:drydock:/:/none\n".formatted(USER));
    Files.writeString(etc.resolve("group"), "root:x:0:\ndrydock:x:%s:\n".formatted(USER));
  }

  private void copy(Path debian, String path) throws IOException {
    Path target = root.resolve(path);
    Files.createDirectories(target.getParent());
    Files.copy(debian.resolve(path), target);
  }

  private static String javaArguments(
      List<String> options, String cache, ClassPath jars, String mainClass) {
    List<String> lines = new ArrayList<>(options);
    lines.add("-XX:SharedArchiveFile=/" + HOME + "/" + cache);
    lines.addAll(List.of("-cp", jars.in("/" + HOME + "/lib"), mainClass));
    return String.join("\n", lines) + "\n";
  }

  private Map<String, String> labels() {
    String label = "org.opencontainers.image.";
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(label + "title", "Drydock");
    labels.put(
        label + "description",
        "Takes Kubernetes nodes out of service, has them maintained and validated, and returns them.");
    labels.put(label + "version", arguments.text("--version"));
    labels.put(label + "created", arguments.text("--time"));
    labels.put(label + "licenses", "Apache-2.0");
    commit().ifPresent(commit -> labels.put(label + "revision", commit));
    return labels;
  }

  private static Optional<String> commit() {
    try {
      Tool.Result result = Tool.run(Path.of("."), List.of("git", "rev-parse", "HEAD"));
      return Optional.of(result.output().strip()).filter(_ -> result.succeeded());
    } catch (ImageFailure _) {
      return Optional.empty(); // sources can be built without git
    }
  }

  private static String layer(String path) {
    if (!path.startsWith(HOME + "/")) {
      return "debian";
    }
    String rest = path.substring(HOME.length() + 1);
    if (rest.equals("java") || rest.startsWith("java/")) {
      return "java";
    }
    return rest.startsWith("lib/") && !ClassPath.isOwn(rest.substring("lib/".length()))
        ? "libraries"
        : "drydock";
  }

  private static double mebibytes(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes / (double) (1 << 20);
  }
}
