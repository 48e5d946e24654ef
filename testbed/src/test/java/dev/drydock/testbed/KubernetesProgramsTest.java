package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replaces Go with a script that records each build and writes a small file per program. */
class KubernetesProgramsTest {
  private static final String FAKE_GO =
      """
      #!/bin/bash
      if [ "$1" = env ]; then echo "${FAKE_GO_VERSION:-go1.26.8}"; exit; fi
      out=; previous=
      for argument in "$@"; do [ "$previous" = -o ] && out=$argument; previous=$argument; done
      echo "$previous" >> "$FAKE_GO_BUILDS"
      if [ "$previous" = "$FAKE_GO_FAILS_ON" ]; then
        printf 'go: downloading some/module v1\\n# some/package\\nx.go:1:2: no such thing\\n\\n' >&2
        exit 1
      fi
      grep -q '^module ' go.mod && [ -s go.sum ] && [ "$CGO_ENABLED" = 0 ] || exit 7
      printf '#!/bin/sh\\necho %s\\n' "$previous" > "$out"
      chmod +x "$out"
      """;

  @TempDir Path folder;
  private final Map<String, String> variables = new HashMap<>();
  private final List<String> reported = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void installFakeGo() throws IOException {
    executable(Files.createDirectories(folder.resolve("bin")).resolve("go"), FAKE_GO);
    variables.put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
    variables.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    variables.put("FAKE_GO_BUILDS", folder.resolve("builds").toString());
  }

  @Test
  void prefersTheFolderOfKubebuilderAssets() throws IOException {
    Path assets = assets(KubernetesPrograms.NAMES);

    KubernetesPrograms programs = obtain();

    assertThat(programs.kubeApiserver()).isEqualTo(assets.resolve("kube-apiserver"));
    assertThat(programs.source()).isEqualTo("KUBEBUILDER_ASSETS (%s)", assets);
    assertThat(reported).isEmpty();
    assertThat(builds()).isEmpty();
  }

  @Test
  void namesWhatKubebuilderAssetsLacksAndGoesOn() throws IOException {
    Path assets = assets(List.of("etcd", "kube-apiserver", "kubectl"));

    KubernetesPrograms programs = obtain();

    assertThat(reported)
        .contains(
            "KUBEBUILDER_ASSETS=%s is not used: it lacks kube-controller-manager, kube-scheduler, kubelet"
                .formatted(assets));
    assertThat(programs.source()).startsWith("built with go1.26.8");
  }

  @Test
  void buildsOnceIntoTheCacheAndShowsProgress() throws IOException {
    KubernetesPrograms built = obtain();
    KubernetesPrograms cached = obtain();

    assertThat(built.source()).startsWith("built with go1.26.8");
    assertThat(cached.source()).startsWith("cache (");
    assertThat(cached.etcd()).isEqualTo(built.etcd()).isExecutable();
    assertThat(builds())
        .containsExactly(
            "go.etcd.io/etcd/server/v3",
            "k8s.io/kubernetes/cmd/kube-apiserver",
            "k8s.io/kubernetes/cmd/kube-controller-manager",
            "k8s.io/kubernetes/cmd/kube-scheduler",
            "k8s.io/kubernetes/cmd/kubectl",
            "k8s.io/kubernetes/cmd/kubelet");
    assertThat(reported).anyMatch(line -> line.startsWith("building kubelet (6 of 6), 0:0"));
  }

  @Test
  void leavesOnlyProgramsAndTheirChecksumsInTheCache() throws IOException {
    obtain();

    String key = KubernetesBuild.pinned().key();
    try (var files = Files.list(cacheRoot().resolve(key))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "SHA256SUMS",
              "etcd",
              "kube-apiserver",
              "kube-controller-manager",
              "kube-scheduler",
              "kubectl",
              "kubelet");
    }
    try (var files = Files.list(cacheRoot())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(key, key + ".lock");
    }
  }

  @Test
  void rebuildsWhatIsDamagedAndSaysSo() throws IOException {
    Path kubectl = obtain().kubectl();
    Files.writeString(kubectl, "something else");

    KubernetesPrograms again = obtain();

    assertThat(reported)
        .contains(
            "the programs in %s are damaged; building them again".formatted(kubectl.getParent()));
    assertThat(again.kubectl()).isEqualTo(kubectl).content().contains("cmd/kubectl");
    assertThat(builds()).hasSize(12);
  }

  @Test
  void removesWhatAKilledBuildLeft() throws IOException {
    Files.delete(obtain().kubelet());
    Path leftover =
        Files.createDirectories(
            cacheRoot().resolve(".building-" + KubernetesBuild.pinned().key() + "-1"));

    obtain();

    assertThat(leftover).doesNotExist();
  }

  @Test
  void twoAtOnceBuildOnce() throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<KubernetesPrograms>> both = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        both.add(
            threads.submit(
                () -> {
                  start.await();
                  return obtain();
                }));
      }
      start.countDown();
      assertThat(both.get(0).get().etcd()).isEqualTo(both.get(1).get().etcd());
    }
    assertThat(builds()).hasSize(6);
  }

  @Test
  void waitsForABuildOfAnotherProcessAndSaysSo() throws Exception {
    Path lock =
        Files.createDirectories(cacheRoot()).resolve(KubernetesBuild.pinned().key() + ".lock");
    // flock(1) uses another kind of lock than Java, so another JVM has to hold it
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                lock.toString())
            .start();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      assertThat(other.inputReader().readLine()).isEqualTo("locked");

      Future<KubernetesPrograms> waiting = threads.submit(this::obtain);
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> reported.stream().anyMatch(line -> line.startsWith("another build")));
      assertThat(builds()).isEmpty();
      other.destroy();

      assertThat(waiting.get().source()).startsWith("built");
    } finally {
      other.destroyForcibly();
    }
  }

  /** Locks the file named by its argument until it is killed. */
  static final class LockHolder {
    public static void main(String[] arguments) throws Exception {
      try (FileChannel channel =
          FileChannel.open(
              Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.lock();
        System.out.println("locked");
        Thread.currentThread().join();
      }
    }
  }

  @Test
  void withoutGoItSaysHowToGetThePrograms() {
    variables.put("PATH", folder.resolve("nowhere").toString());

    assertThatThrownBy(this::obtain)
        .isInstanceOf(TestbedUnavailable.class)
        .hasMessage(
            "no Kubernetes programs and no Go to build them: install Go 1.26 or newer, or set"
                + " KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver,"
                + " kube-controller-manager, kube-scheduler, kubectl, kubelet");
  }

  @Test
  void refusesAGoThatIsTooOld() {
    variables.put("FAKE_GO_VERSION", "go1.25.11");

    assertThatThrownBy(this::obtain)
        .isInstanceOf(TestbedUnavailable.class)
        .hasMessageStartingWith(
            "%s is go1.25.11, too old: install Go 1.26 or newer", folder.resolve("bin/go"));
  }

  @Test
  void aFailedBuildCarriesGosLastUsefulLineAndLeavesNothing() throws IOException {
    variables.put("FAKE_GO_FAILS_ON", "k8s.io/kubernetes/cmd/kube-scheduler");

    assertThatThrownBy(this::obtain)
        .isExactlyInstanceOf(TestbedException.class)
        .hasMessage("go could not build kube-scheduler: x.go:1:2: no such thing");
    try (var files = Files.list(cacheRoot())) {
      assertThat(files).allMatch(file -> file.toString().endsWith(".lock"));
    }
  }

  @Test
  void saysWhenTheCacheCannotBeWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    variables.put("XDG_CACHE_HOME", file.toString());

    assertThatThrownBy(this::obtain)
        .isExactlyInstanceOf(TestbedException.class)
        .hasMessageStartingWith("cannot use the cache " + file);
  }

  @Test
  void theCacheKeyFollowsTheRecipe() {
    KubernetesBuild build = new KubernetesBuild("v1.36.4", "module a", "sum");

    assertThat(build.key()).matches("v1\\.36\\.4-[0-9a-f]{12}");
    assertThat(build.key()).isEqualTo(new KubernetesBuild("v1.36.4", "module a", "sum").key());
    assertThat(build.key()).isNotEqualTo(new KubernetesBuild("v1.36.4", "module b", "sum").key());
    assertThat(build.key()).isNotEqualTo(new KubernetesBuild("v1.36.4", "module a", "mus").key());
    assertThat(build.key()).isNotEqualTo(new KubernetesBuild("v1.36.5", "module a", "sum").key());
  }

  @Test
  void theProgramsAreToldTheirVersion() {
    assertThat(KubernetesBuild.pinned().flags())
        .containsExactly(
            "-trimpath",
            "-ldflags",
            "-s -w -X k8s.io/component-base/version.gitVersion=v1.36.4"
                + " -X k8s.io/component-base/version.gitMajor=1"
                + " -X k8s.io/component-base/version.gitMinor=36"
                + " -X k8s.io/component-base/version.gitTreeState=clean");
  }

  private KubernetesPrograms obtain() {
    return KubernetesPrograms.obtain(new Environment(variables, folder), reported::add);
  }

  private Path cacheRoot() {
    return folder.resolve("cache/drydock/kubernetes");
  }

  private List<String> builds() throws IOException {
    Path log = folder.resolve("builds");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  private Path assets(List<String> names) throws IOException {
    Path assets = Files.createDirectories(folder.resolve("assets"));
    for (String name : names) {
      executable(assets.resolve(name), "#!/bin/sh\n");
    }
    variables.put("KUBEBUILDER_ASSETS", assets.toString());
    return assets;
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
