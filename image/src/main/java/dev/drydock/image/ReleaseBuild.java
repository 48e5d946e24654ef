package dev.drydock.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * Collects a release in one folder: the program for people's machines with its own Java runtime,
 * the image, manifests, CRDs, SBOM and checksums.
 */
public final class ReleaseBuild {
  private static final Pattern RESOURCE = Pattern.compile("(?m)^ {2}- (\\S+\\.yaml)$");

  /** Where the settings of the operator begin, in its ConfigMap. */
  private static final String CONFIGURATION = "  notifyMaintenanceConfig.yaml: |\n";

  private final Arguments arguments;
  private final String name;
  private final Path source;
  private final Path output;
  private final Instant time;

  private ReleaseBuild(Arguments arguments) {
    this.arguments = arguments;
    this.name = "drydock-" + arguments.text("--version");
    this.source = arguments.path("--source");
    this.output = arguments.path("--output");
    this.time = Instant.parse(arguments.text("--time"));
  }

  public static void main(String[] words) throws IOException {
    Arguments.run(words, arguments -> new ReleaseBuild(arguments).run());
  }

  private String run() throws IOException {
    Folders.delete(output);
    Files.createDirectories(output);
    Files.copy(arguments.path("--image"), output.resolve(name + ".oci.tar"));
    Path deploy = source.resolve("deploy");
    String version = arguments.text("--version");
    Files.writeString(output.resolve(name + ".yaml"), manifests(deploy, "", version));
    Files.writeString(output.resolve(name + "-crds.yaml"), manifests(deploy, "crds/", version));
    writeProgram();
    List<String> sums = new ArrayList<>();
    for (Path file : Folders.content(output)) {
      sums.add(Checksum.ofFile(file) + "  " + file.getFileName());
    }
    Files.write(output.resolve("SHA256SUMS"), sums);
    return "release in " + output + ":\n  " + String.join("\n  ", sums);
  }

  /**
   * The manifests that the kustomization names, in its order, with the image of this version.
   *
   * @param below only those in this folder
   */
  static String manifests(Path deploy, String below, String version) throws IOException {
    List<String> files =
        RESOURCE
            .matcher(Files.readString(deploy.resolve("kustomization.yaml")))
            .results()
            .map(found -> found.group(1))
            .filter(file -> file.startsWith(below))
            .toList();
    List<String> texts = new ArrayList<>();
    for (String file : files) {
      texts.add(Files.readString(deploy.resolve(file)).strip().replaceFirst("^---\n", ""));
    }
    String image = "image: " + ImageBuild.name(version);
    return (String.join("\n---\n", texts) + "\n")
        .replaceAll("image: drydock:latest.*", image)
        // what the operator itself starts on nodes; its default is the name in the kustomization
        .replace(CONFIGURATION, CONFIGURATION + "    slingshot:\n      " + image + "\n");
  }

  private void writeProgram() throws IOException {
    Path work = arguments.path("--work");
    Folders.delete(work);
    Path folder = Files.createDirectories(work.resolve("root").resolve(name));
    Path run = Files.createDirectories(folder.resolve("run"));
    for (String file : List.of("drydock", "LICENSE", "CHANGELOG.md", "README.md")) {
      Files.copy(source.resolve(file), folder.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Path debian = work.resolve("debian");
    String architecture = System.getProperty("os.arch");
    List<DebianPackage> packages = DebianPackage.pinned(architecture);
    DebianPackage.unpack(packages, debian);
    JavaRuntime runtime = JavaRuntime.link(folder.resolve("java"), debian);
    new Sbom(arguments.path("--bom"))
        .with(packages.stream().filter(DebianPackage::isAuthorities).toList())
        .withRuntime()
        .write(output.resolve(name + ".bom.json"));
    ClassPath jars = ClassPath.take(arguments.path("--jars"), run.resolve("lib"));
    Files.writeString(run.resolve("class-path"), jars.in("@home@/run/lib"));
    Folders.setTimes(folder, FileTime.from(time));
    String cache = "start-up-%s.aot".formatted(runtime.property("JAVA_VERSION"));
    new StartUpCache(runtime, ImageBuild.OPTIONS, jars)
        .write(arguments.path("--training"), run.resolve(cache));
    // the launcher has two; this one is good for all commands
    Files.createSymbolicLink(
        run.resolve(cache.replace("start-up-", "start-up-cluster-")), Path.of(cache));
    runtime.keepOnlyJava();
    Folders.setTimes(folder, FileTime.from(time));
    Path archive = output.resolve("%s-linux-%s.tar.gz".formatted(name, architecture));
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive), 1 << 16);
        TarFile tar = new TarFile(out, time)) {
      tar.tree(work.resolve("root"), _ -> true);
    }
  }
}
