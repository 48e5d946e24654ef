package dev.drydock.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a source tree of its own, with a Maven and JDKs that note how they are called.
 */
class LauncherIT {
  private record Outcome(int exitCode, String out, String err) {}

  private static final String JAVA =
      """
      #!/usr/bin/env bash
      for word in "$@"; do
        case $word in -XX:AOTCacheOutput=*) echo train >>"$CALLS"; : >"${word#*=}"; exit 0 ;; esac
      done
      jdk=${0%/bin/java}
      while [ "$1" != dev.drydock.app.Drydock ]; do
        if [ "$1" = -cp ]; then echo "class path $2" >>"$CALLS"; fi
        shift
      done
      shift
      if [ "$1" = __complete ]; then
        printf 'candidate-for-%s\\twhat it is\\n:4\\n' "$2"
        exit 0
      fi
      printf '%s:' "${jdk##*/}"
      printf '<%s>' "$@"
      exit "${EXIT_CODE:-0}"
      """;

  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      echo "build with ${JAVA_HOME##*/}" >>"$CALLS"
      case ${MAVEN:-} in
        fails) echo '[INFO] much talk'; echo '[ERROR] Hull.java:[3,1] no keel'; exit 1 ;;
        edited) sleep 0.1; echo more >>app/src/main/Hull.java ;; # file times are coarse
        slow) sleep 1 ;;
        talks)
          echo '[INFO] Building Drydock 1 [1/3]'
          echo '[INFO] Building Drydock :: hull 1   [2/3]'
          until grep -q hull "${CALLS%/*}/run.err"; do sleep 0.05; done # until it was said
          echo '[INFO] Building jar: hull.jar'
          echo '[INFO] Building Drydock :: keel 1   [3/3]'
          until grep -q keel "${CALLS%/*}/run.err"; do sleep 0.05; done ;;
        hangs) echo $$ >"$CALLS.pid"; exec sleep 600 ;;
      esac
      mkdir -p dist/target/run/lib
      : >dist/target/run/lib/a-library-1.jar
      : >dist/target/run/lib/drydock-app-1.jar
      """;

  /** All that the launcher may use: no java is among them. */
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "env",
          "find",
          "readlink",
          "mkdir",
          "rm",
          "grep",
          "tail",
          "mv",
          "flock",
          "sleep",
          "touch",
          "stty");

  @TempDir private Path folder;
  private Path tree;
  private Path tools;
  private Path calls;
  private Path launcher;
  private Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectories(folder.resolve("source tree"));
    tools = Files.createDirectories(folder.resolve("tools"));
    calls = Files.createFile(folder.resolve("calls"));
    launcher = tree.resolve("drydock");
    // Where JDKs usually are cannot be emptied; so this launcher looks elsewhere.
    script(
        launcher,
        Files.readString(realLauncher())
            .replace(" /usr/lib/jvm/", " " + folder + "/jvm/")
            .replace(" /opt/", " " + folder + "/opt/"));
    assertThat(Files.readString(launcher)).contains(folder + "/jvm/", folder + "/opt/");
    Path source = Files.createDirectories(tree.resolve("app/src/main")).resolve("Hull.java");
    for (Path file : List.of(tree.resolve("pom.xml"), tree.resolve("app/pom.xml"), source)) {
      Files.writeString(file, "old");
    }
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path old : all.toList()) {
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
      }
    }
    for (String tool : TOOLS) {
      script(
          tools.resolve(tool), "#!/bin/sh\nexec %s \"$@\"\n".formatted(onPath(tool).orElseThrow()));
    }
    script(tools.resolve("mvn"), MAVEN);
    environment =
        new HashMap<>(
            Map.of(
                "PATH", tools.toString(),
                "HOME", Files.createDirectories(folder.resolve("home")).toString(),
                "CALLS", calls.toString()));
  }

  @Test
  void withoutAJdkItSaysWhatToInstall() throws Exception {
    assertThat(run("version"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "error: no JDK 25 found: install one (for example Temurin 25, or Debian's"
                    + " openjdk-25-jdk) and set JAVA_HOME to it\n"));
  }

  @Test
  void anotherJavaIsNoJdk25() throws Exception {
    environment.put("JAVA_HOME", jdk("jvm/old", "17.0.2").toString());
    Files.createSymbolicLink(
        tools.resolve("java"), jdk("elsewhere/jdk", "250.1").resolve("bin/java"));

    assertThat(run("version").err()).startsWith("error: no JDK 25 found");
  }

  @Test
  void withoutMavenItSaysWhatToInstall() throws Exception {
    jdk("jvm/jdk-25", "25");
    Files.delete(tools.resolve("mvn"));

    assertThat(run("version"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "error: Maven is needed to build drydock: install it (Debian: apt-get install maven)\n"));
  }

  @Test
  void javaHomeIsPreferredThenTheUsualPlacesThenThePath() throws Exception {
    Files.createSymbolicLink(
        tools.resolve("java"), jdk("elsewhere/on-path", "25.0.1").resolve("bin/java"));
    assertThat(run("version").out()).isEqualTo("on-path:<version>");

    jdk("home/.sdkman/candidates/java/in-home", "25.0.3");
    assertThat(run("version").out()).isEqualTo("in-home:<version>");

    jdk("jvm/usual", "25.0.1");
    assertThat(run("version").out()).isEqualTo("usual:<version>");

    environment.put("JAVA_HOME", jdk("elsewhere/chosen", "25.0.2").toString());
    assertThat(run("version").out()).isEqualTo("chosen:<version>");

    environment.put("JAVA_HOME", jdk("elsewhere/too-old", "21.0.2").toString());
    assertThat(run("version").out()).isEqualTo("usual:<version>");
  }

  @Test
  void theFirstRunBuildsAndTrainsAndTheSecondOnlyRuns() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");

    Outcome first = run("version");
    Outcome second = run("version");

    assertThat(first.err()).contains("building drydock", "preparing a fast start").hasLineCount(2);
    assertThat(second).isEqualTo(new Outcome(0, "jdk-25:<version>", ""));
    String classPath =
        "class path %s/dist/target/run/lib/drydock-app-1.jar:%s/dist/target/run/lib/a-library-1.jar"
            .formatted(tree, tree);
    assertThat(calls()).containsExactly("build with jdk-25", "train", classPath, classPath);
  }

  @Test
  void aNewerSourceIsBuiltOnce() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    run("version");

    Files.writeString(tree.resolve("app/src/main/Hull.java"), "new");
    run("version");
    run("version");

    assertThat(builds()).isEqualTo(2);
    assertThat(calls()).filteredOn("train"::equals).hasSize(2);
  }

  @Test
  void aSourceEditedDuringTheBuildIsBuiltNextTime() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.put("MAVEN", "edited");
    run("version");
    environment.remove("MAVEN");

    run("version");
    run("version");

    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void aFailedBuildIsExplainedAndTriedAgain() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.put("MAVEN", "fails");

    Outcome failed = run("version");

    Path log = tree.resolve("target/build.log");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err())
        .contains("[ERROR] Hull.java:[3,1] no keel")
        .doesNotContain("much talk")
        .endsWith("error: the build failed; its output is in " + log + "\n");
    assertThat(log).content().contains("much talk");

    environment.remove("MAVEN");
    assertThat(run("version").exitCode()).isZero();
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void inAPipeABuildSaysWhereItIs() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.put("MAVEN", "talks");

    List<String> said = run("version").err().lines().toList();

    assertThat(said).hasSize(4);
    assertThat(said.get(0)).startsWith("building drydock");
    assertThat(said.get(1)).startsWith("  hull [2/3] ");
    assertThat(said.get(2)).startsWith("  keel [3/3] ");
    assertThat(said.get(3)).startsWith("preparing a fast start");
  }

  @Test
  void twoFirstRunsAtOnceBuildOnce() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.put("MAVEN", "slow");
    Process one = start("one", launcher.toString(), "version");
    Process two = start("two", launcher.toString(), "version");

    assertThat(outcome("one", one).out()).isEqualTo("jdk-25:<version>");
    assertThat(outcome("two", two).out()).isEqualTo("jdk-25:<version>");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void stoppingItStopsTheBuild() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.put("MAVEN", "hangs");
    Process process = start("stopped", launcher.toString(), "version");
    Path noted = folder.resolve("calls.pid");
    // what it says comes after it knows what to do when it is stopped
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                Files.exists(noted)
                    && Files.size(noted) > 0
                    && Files.size(folder.resolve("stopped.err")) > 0);
    ProcessHandle build =
        ProcessHandle.of(Long.parseLong(Files.readString(noted).strip())).orElseThrow();
    try {
      process.destroy();

      assertThat(outcome("stopped", process).exitCode()).isEqualTo(130);
      await().atMost(Duration.ofMinutes(1)).until(() -> !build.isAlive());
    } finally {
      build.destroyForcibly();
    }
  }

  @Test
  void argumentsAndTheExitCodePassThrough() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.put("EXIT_CODE", "7");

    Outcome outcome = run("drain", "a b", "", "--reason=it's \"broken\"", "*", "$HOME");

    assertThat(outcome.exitCode()).isEqualTo(7);
    assertThat(outcome.out())
        .isEqualTo("jdk-25:<drain><a b><><--reason=it's \"broken\"><*><$HOME>");
  }

  @Test
  void aReleaseRunsWithItsOwnJavaWhereverItIs() throws Exception {
    jdk("source tree/java", "25.0.3");
    environment.put("JAVA_HOME", jdk("elsewhere/other", "25.0.1").toString());
    Files.delete(tools.resolve("mvn"));
    Path run = Files.createDirectories(tree.resolve("run"));
    Files.writeString(run.resolve("class-path"), "@home@/run/lib/a.jar:@home@/run/lib/b.jar");
    Files.createFile(run.resolve("start-up-25.0.3.aot"));

    assertThat(run("version")).isEqualTo(new Outcome(0, "java:<version>", ""));

    assertThat(calls())
        .containsExactly("class path %1$s/run/lib/a.jar:%1$s/run/lib/b.jar".formatted(tree));
  }

  @Test
  void aHomeIsNotNeeded() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    environment.remove("HOME");

    assertThat(run("version").out()).isEqualTo("jdk-25:<version>");
  }

  @Test
  void itWorksThroughALinkAndAsAKubectlPlugin() throws Exception {
    jdk("jvm/jdk-25", "25.0.1");
    Path kubectl = kubectl();
    Files.createSymbolicLink(tools.resolve("kubectl-drydock"), launcher);
    Files.createSymbolicLink(
        tools.resolve("kubectl_complete-drydock"), tools.resolve("kubectl-drydock"));
    run("version"); // each of the two start-up caches is made when it is first needed
    run("drain");

    assertThat(run(kubectl, "drydock", "drain", "a b", "--reason", "x"))
        .isEqualTo(new Outcome(0, "jdk-25:<drain><a b><--reason><x>", ""));
    assertThat(run(kubectl, "__complete", "drydock", "ver").out())
        .startsWith("candidate-for-ver\twhat it is\n:4\n");
  }

  private static Path kubectl() {
    Optional<Path> kubectl =
        Optional.ofNullable(System.getenv("KUBEBUILDER_ASSETS"))
            .map(assets -> Path.of(assets, "kubectl"))
            .filter(Files::isExecutable)
            .or(() -> onPath("kubectl"));
    assumeTrue(
        kubectl.isPresent(), "no kubectl: put one on PATH or set KUBEBUILDER_ASSETS to its folder");
    return kubectl.orElseThrow();
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(place -> Path.of(place, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path realLauncher() {
    Path place = requireNonNull(Path.of("").toAbsolutePath());
    while (!Files.isRegularFile(place.resolve("drydock"))) {
      place = requireNonNull(place.getParent(), "the launcher is above this folder");
    }
    return place.resolve("drydock");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"test\"\nJAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), JAVA);
    return home;
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(calls);
  }

  private long builds() throws IOException {
    return calls().stream().filter(call -> call.startsWith("build ")).count();
  }

  private Outcome run(String... arguments) throws Exception {
    return run(launcher, arguments);
  }

  private Outcome run(Path program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return outcome("run", start("run", command.toArray(String[]::new)));
  }

  private Process start(String name, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve(name + ".out").toFile())
            .redirectError(folder.resolve(name + ".err").toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Outcome outcome(String name, Process process) throws Exception {
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(
        process.exitValue(),
        Files.readString(folder.resolve(name + ".out")),
        Files.readString(folder.resolve(name + ".err")));
  }
}
