package dev.drydock.testbed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The programs of one Kubernetes release. {@code source} describes where they came from.
 *
 * <p>They are taken, in this order, from the folder in {@code KUBEBUILDER_ASSETS}, from the user's
 * cache, or built into that cache with the machine's Go.
 */
public record KubernetesPrograms(
    Path etcd,
    Path kubeApiserver,
    Path kubeControllerManager,
    Path kubeScheduler,
    Path kubectl,
    Path kubelet,
    String source) {

  static final List<String> NAMES =
      List.of(
          "etcd",
          "kube-apiserver",
          "kube-controller-manager",
          "kube-scheduler",
          "kubectl",
          "kubelet");

  private static final String ASSETS = "KUBEBUILDER_ASSETS";

  /** Checked once per process: checksums of all programs take a second. */
  private static @Nullable KubernetesPrograms ofProcess;

  /** The programs; building them may take minutes. Reports progress to standard error. */
  public static KubernetesPrograms obtain() {
    return obtain(TestbedProgress.stderr());
  }

  /**
   * The programs; building them may take minutes.
   *
   * @throws TestbedUnavailable if there are none and this machine cannot build them
   */
  public static synchronized KubernetesPrograms obtain(TestbedProgress progress) {
    if (ofProcess == null) {
      ofProcess = obtain(Environment.ofProcess(), progress);
    }
    return ofProcess;
  }

  static KubernetesPrograms obtain(Environment environment, TestbedProgress progress) {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new TestbedUnavailable("a real control plane needs Linux: run this there");
    }
    return fromAssets(environment, progress)
        .orElseGet(
            () -> new ProgramCache(environment, KubernetesBuild.pinned(), progress).obtain());
  }

  static KubernetesPrograms in(Path folder, String source) {
    return new KubernetesPrograms(
        folder.resolve("etcd"),
        folder.resolve("kube-apiserver"),
        folder.resolve("kube-controller-manager"),
        folder.resolve("kube-scheduler"),
        folder.resolve("kubectl"),
        folder.resolve("kubelet"),
        source);
  }

  private static Optional<KubernetesPrograms> fromAssets(
      Environment environment, TestbedProgress progress) {
    return environment
        .variable(ASSETS)
        .map(folder -> Path.of(folder).toAbsolutePath())
        .filter(folder -> hasAll(folder, progress))
        .map(folder -> in(folder, ASSETS + " (" + folder + ")"));
  }

  private static boolean hasAll(Path folder, TestbedProgress progress) {
    List<String> missing =
        NAMES.stream().filter(name -> !Files.isExecutable(folder.resolve(name))).toList();
    if (!missing.isEmpty()) {
      progress.report(
          "%s=%s is not used: it lacks %s".formatted(ASSETS, folder, String.join(", ", missing)));
    }
    return missing.isEmpty();
  }
}
