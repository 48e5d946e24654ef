package dev.drydock.app.operator;

import dev.drydock.app.Drydock;
import dev.drydock.app.DrydockTest;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.CommandFixture;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.RealDefinitions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Operators as processes of their own, on a real API server. They end with the test. */
public final class TestOperators implements AutoCloseable {
  public static final String SYSTEM = "drydock-system";

  /** For those who take over from one that was killed. */
  static final String SHORT_LEASE = "--leader-elect-lease-duration=10s";

  static final Path DEPLOY = Path.of("..", "deploy");

  private static final Map<String, String> FREE_PORTS =
      Map.of(
          "--metrics-port", "0",
          "--webhook-port", "0",
          "--health-probe-bind-address", "127.0.0.1:0");

  private final ControlPlane cluster;
  private final Path folder;
  private final Map<String, Process> processes = new HashMap<>();
  private final Set<String> namespaces = new HashSet<>();

  public TestOperators(ControlPlane cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /** Leads in this process and without a Lease; metrics, health and admission are not served. */
  public static void lead(CommandFixture fixture) {
    Operator operator =
        Operator.defaults(fixture.client(), fixture.namespace(), "test", RequestInterceptor.NONE);
    fixture.closeAtTheEnd(operator::close);
    operator.lead();
  }

  public void define() {
    RealDefinitions.install(cluster, DrydockTest.run("crds").out());
  }

  /** On free ports, unless the flags say otherwise. */
  public Process start(String name, String namespace, Path kubeconfig, String... flags)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("operator"));
    words.addAll(List.of(flags));
    FREE_PORTS.forEach(
        (flag, value) -> {
          if (words.stream().noneMatch(word -> word.startsWith(flag))) {
            words.add(flag + "=" + value);
          }
        });
    return startCommand(name, namespace, kubeconfig, words);
  }

  /** Another command of the program, as a process of its own that ends with the operators. */
  Process startCommand(String name, String namespace, Path kubeconfig, List<String> words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                // it lives for seconds only
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Drydock.class.getName()));
    command.addAll(words);
    command.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    // As a part of the cluster it ends with it, also when this JVM is killed.
    Process process =
        cluster.startComponent(
            component(name), command, Map.of("HOSTNAME", name, "NAMESPACE", namespace));
    processes.put(name, process);
    namespaces.add(namespace);
    return process;
  }

  void kill(String name) throws InterruptedException {
    Process process = processes.get(name);
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Unique in the cluster, which all tests share. */
  private String component(String name) {
    return "operator-" + name + "-" + folder.getFileName();
  }

  private Path logFile(String name) {
    return cluster.logs().resolve(component(name) + ".log");
  }

  /** Without what is about namespaces of earlier tests, which are being deleted. */
  public String log(String name) throws IOException {
    // read as bytes: the process may be in the middle of a character
    return new String(Files.readAllBytes(logFile(name)), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.contains("because it is being terminated"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** The port that an operator said it serves something on, once it does. */
  int port(String name, String what) {
    Pattern line = Pattern.compile(Pattern.quote(what) + " on port (\\d+)");
    String log =
        patiently().until(() -> log(name), text -> line.matcher(text).find() || hasEnded(name));
    Matcher found = line.matcher(log);
    if (!found.find()) {
      throw new AssertionError("operator " + name + " does not serve " + what + ":\n" + log);
    }
    return Integer.parseInt(found.group(1));
  }

  private boolean hasEnded(String name) {
    Process process = processes.get(name);
    return process == null || !process.isAlive();
  }

  /** As the manifests have it: a token of their ServiceAccount, and not one right more. */
  public Path kubeconfigOfTheManifest() throws IOException {
    return kubeconfigWithRights("operator-rbac.yaml");
  }

  /** A token of the ServiceAccount, with the rights of these manifests and not one more. */
  Path kubeconfigWithRights(String... rights) throws IOException {
    List<String> files = new ArrayList<>(List.of("namespace.yaml", "certificates.yaml"));
    files.addAll(List.of(rights));
    for (String file : files) {
      String path = DEPLOY.resolve(file).toString();
      cluster.kubectl("apply", "--server-side", "-f", path).output();
    }
    return kubeconfigOf("drydock-operator", SYSTEM);
  }

  /**
   * A token of a ServiceAccount.
   *
   * @param flags more of those that the token is created with
   */
  Path kubeconfigOf(String account, String namespace, String... flags) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("create", "token", account, "--namespace", namespace));
    command.addAll(List.of(flags));
    String token = cluster.kubectl(command.toArray(String[]::new)).output();
    Path kubeconfig = Files.createTempFile(folder, "kubeconfig", "");
    Files.copy(cluster.kubeconfig(), kubeconfig, StandardCopyOption.REPLACE_EXISTING);
    String file = "--kubeconfig=" + kubeconfig;
    cluster
        .kubectl("config", file, "set-credentials", "operator", "--token=" + token.strip())
        .output();
    cluster.kubectl("config", file, "set-context", "--current", "--user=operator").output();
    return kubeconfig;
  }

  /** As the documentation has it for a namespace of maintenances. */
  public void allowJobs(String namespace) {
    cluster
        .kubectl(
            "create",
            "rolebinding",
            "drydock-operator-jobs",
            "-n",
            namespace,
            "--clusterrole=drydock-operator-jobs",
            "--serviceaccount=" + SYSTEM + ":drydock-operator")
        .output();
  }

  public static void eventually(Callable<Boolean> condition) {
    patiently().until(condition);
  }

  /** Processes start, and the garbage collector of Kubernetes alone may take a minute. */
  static Eventually patiently() {
    return Eventually.inRealTime(Duration.ofMillis(100)).atMost(Duration.ofMinutes(4));
  }

  /**
   * Ends them all. Nobody has their Leases then, for which operators of the next test would wait.
   */
  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
    processes.values().forEach(process -> process.onExit().join());
    for (String namespace : namespaces) {
      cluster.client().leases().inNamespace(namespace).withName(Operator.LEASE).delete();
    }
  }
}
