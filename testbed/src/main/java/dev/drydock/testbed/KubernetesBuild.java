package dev.drydock.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the programs are built: a Go module with pinned versions, and the flags. */
record KubernetesBuild(String version, String goMod, String goSum) {

  private static final Pattern GO_VERSION = Pattern.compile("go(\\d+)\\.(\\d+)");
  private static final int GO_MAJOR = 1;
  private static final int GO_MINOR = 26;
  private static final String HOW_TO_GET =
      "install Go %d.%d or newer, or set KUBEBUILDER_ASSETS to a folder with %s"
          .formatted(GO_MAJOR, GO_MINOR, String.join(", ", KubernetesPrograms.NAMES));
  private static final Duration REPORT_EVERY = Duration.ofSeconds(15);

  static KubernetesBuild pinned() {
    return new KubernetesBuild("v1.36.4", resource("go.mod"), resource("go.sum"));
  }

  /** The cache key: it changes with the module, the flags and the platform. */
  String key() {
    MessageDigest digest = sha256();
    digest.update(goMod.getBytes(StandardCharsets.UTF_8));
    digest.update(goSum.getBytes(StandardCharsets.UTF_8));
    digest.update(String.join("\n", flags()).getBytes(StandardCharsets.UTF_8));
    digest.update(platform().getBytes(StandardCharsets.UTF_8));
    return version + "-" + HexFormat.of().formatHex(digest.digest()).substring(0, 12);
  }

  /** Builds every program into the folder and returns the Go version used. */
  String into(Path folder, Environment environment, TestbedProgress progress) {
    Path go =
        environment
            .findOnPath("go")
            .orElseThrow(
                () ->
                    new TestbedUnavailable(
                        "no Kubernetes programs and no Go to build them: " + HOW_TO_GET));
    String goVersion = versionOf(go, environment);
    try {
      Path module = Files.createDirectories(folder.resolve("module"));
      Files.writeString(module.resolve("go.mod"), goMod);
      Files.writeString(module.resolve("go.sum"), goSum);
      progress.report(
          "building Kubernetes %s with %s; minutes the first time, then cached"
              .formatted(version, goVersion));
      long started = System.nanoTime();
      for (String program : KubernetesPrograms.NAMES) {
        build(program, folder, new GoRun(go, module, environment, progress, started));
      }
      FileTrees.delete(module);
      progress.report("built Kubernetes %s in %s".formatted(version, elapsedSince(started)));
    } catch (IOException e) {
      throw new TestbedException(
          "cannot build Kubernetes in %s: %s".formatted(folder, e.getMessage()), e);
    }
    return goVersion;
  }

  private record GoRun(
      Path go, Path module, Environment environment, TestbedProgress progress, long started) {}

  private void build(String program, Path folder, GoRun run) throws IOException {
    String what =
        "building %s (%d of %d)"
            .formatted(
                program,
                KubernetesPrograms.NAMES.indexOf(program) + 1,
                KubernetesPrograms.NAMES.size());
    run.progress().report("%s, %s elapsed".formatted(what, elapsedSince(run.started())));
    List<String> command = new ArrayList<>(List.of(run.go().toString(), "build"));
    command.addAll(flags());
    command.addAll(List.of("-o", folder.resolve(program).toString(), packageOf(program)));
    Path log = run.module().resolve(program + ".log");
    Process process =
        goProcess(command, run.environment())
            .directory(run.module().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      while (!process.waitFor(REPORT_EVERY.toSeconds(), TimeUnit.SECONDS)) {
        run.progress().report("%s, %s elapsed".formatted(what, elapsedSince(run.started())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while " + what, e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    if (process.exitValue() != 0) {
      throw new TestbedException(
          "go could not build %s: %s".formatted(program, lastUsefulLine(Files.readString(log))));
    }
  }

  private static String versionOf(Path go, Environment environment) {
    String answer;
    try {
      Process process =
          goProcess(List.of(go.toString(), "env", "GOVERSION"), environment)
              .redirectErrorStream(true)
              .start();
      answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new TestbedUnavailable("%s does not run (%s): %s".formatted(go, e, HOW_TO_GET));
    }
    Matcher version = GO_VERSION.matcher(answer);
    if (!version.find()) {
      throw new TestbedUnavailable(
          "%s does not print its version (%s): %s"
              .formatted(go, lastUsefulLine(answer), HOW_TO_GET));
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    if (major < GO_MAJOR || (major == GO_MAJOR && minor < GO_MINOR)) {
      throw new TestbedUnavailable("%s is %s, too old: %s".formatted(go, answer, HOW_TO_GET));
    }
    return answer;
  }

  private static ProcessBuilder goProcess(List<String> command, Environment environment) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> variables = builder.environment();
    variables.clear();
    variables.putAll(environment.variables());
    variables.put("CGO_ENABLED", "0");
    // the user's settings for other Go work must not affect this build
    variables.put("GOTOOLCHAIN", "local");
    variables.put("GOWORK", "off");
    variables.keySet().removeAll(List.of("GOFLAGS", "GOOS", "GOARCH"));
    return builder;
  }

  List<String> flags() {
    String variable = " -X k8s.io/component-base/version.";
    String[] numbers = version.substring(1).split("\\.", -1);
    return List.of(
        "-trimpath",
        "-ldflags",
        "-s -w"
            + (variable + "gitVersion=" + version)
            + (variable + "gitMajor=" + numbers[0])
            + (variable + "gitMinor=" + numbers[1])
            + (variable + "gitTreeState=clean"));
  }

  private static String packageOf(String program) {
    return program.equals("etcd")
        ? "go.etcd.io/etcd/server/v3"
        : "k8s.io/kubernetes/cmd/" + program;
  }

  /** Go prints the error at the end; lines about downloads and package names are skipped. */
  static String lastUsefulLine(String output) {
    return output
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .filter(line -> !line.startsWith("go: downloading"))
        .reduce((earlier, later) -> later)
        .orElse("it printed nothing");
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String platform() {
    return System.getProperty("os.name") + "/" + System.getProperty("os.arch");
  }

  private static String elapsedSince(long started) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
    return String.format(Locale.ROOT, "%d:%02d", elapsed.toMinutes(), elapsed.toSecondsPart());
  }

  private static String resource(String name) {
    try (InputStream in = KubernetesBuild.class.getResourceAsStream("kubernetes/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the testbed was packaged without kubernetes/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
