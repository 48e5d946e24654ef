package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import dev.drydock.testbed.Ports;
import dev.drydock.testbed.ServiceAccountMount;
import dev.drydock.testbed.realkubelet.RealKubeletTest;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The small programs with the image's files, in namespaces and with a root of their own as in a
 * container: what they load, and what they take of memory.
 */
@RealKubeletTest
class SmallProgramsIT {
  /** The limits of those programs that these replace leave them no more. */
  private static final int MOST_MIB = 80;

  private static final Pattern LOADED = Pattern.compile("([\\w.$/]+) source: (.*)");

  private static final String NODE = "node-1";

  /** Of no use to any of them. */
  private static final String NEVER =
      "io\\.micrometer\\..*|dev\\.drydock\\.(app|drain|edge|health|lifecycle|maintenance)\\..*";

  enum Program {
    DRIVER_AGENT(
        SmallProgram.DRIVER_AGENT,
        "--driver-version=1.8.3",
        "(io\\.(netty|prometheus)|com\\.google|org\\.(yaml|snakeyaml)|org\\.apache|io\\.fabric8\\.kubernetes\\.(api\\.model\\.[a-z]+|client\\.dsl\\.internal))\\..*"),
    DEVICE_PLUGIN(SmallProgram.WITHOUT_CLUSTER, "--kubelet-folder=/k", "io\\.prometheus\\..*"),
    RETRY_HANDLER(
        SmallProgram.WITHOUT_CLUSTER,
        "--cxi-rh-path=/machine/usr/bin/cxi_rh",
        "(io\\.(grpc|netty|prometheus)|com\\.google)\\..*"),
    METRICS_EXPORTER(
        SmallProgram.WITHOUT_CLUSTER,
        "--retry-handler-url=",
        "(io\\.(grpc|netty)|com\\.google)\\..*");

    private final SmallProgram started;
    private final String flag;
    private final String foreign;

    Program(SmallProgram started, String flag, String foreign) {
      this.started = started;
      this.flag = flag;
      this.foreign = foreign;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Only ends a hopeless wait. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private static Path root = Path.of("");
  private static Map<String, String> environment = Map.of();
  private static @Nullable ControlPlane cluster;

  @BeforeAll
  static void startTheCluster() throws IOException {
    ControlPlane fresh = ControlPlane.start();
    cluster = fresh;
    fresh
        .kubectl("apply", "--server-side", "-f", Path.of("..", "deploy", "crds").toString())
        .output();
    EstablishedDefinitions.await(fresh.client());
    fresh
        .kubectlWithInput(
            "{apiVersion: v1, kind: Node, metadata: {name: %s}}".formatted(NODE),
            "apply",
            "-f",
            "-")
        .output();
    String namespace = fresh.createNamespace("small").name();
    fresh
        .kubectl(
            "create",
            "clusterrolebinding",
            "small",
            "--clusterrole=cluster-admin",
            "--serviceaccount=%s:default".formatted(namespace))
        .output();
    environment = new HashMap<>(ServiceAccountMount.write(fresh, root, namespace, "default"));
    environment.put("NODE_NAME", NODE);
    environment.put("NAMESPACE", namespace);
  }

  @AfterAll
  static void stopTheCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeAll
  static void unpack() throws IOException {
    var _ = BuiltImage.archive().unpack(root);
    run("/opt/drydock/java.args", "cxi", "fake-nics", "create", "/machine", "--nics=2");
    Files.createDirectories(root.resolve("k"));
  }

  private static List<String> command(String arguments, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "--root=" + root,
                "/opt/drydock/java/bin/java",
                "@" + arguments));
    command.addAll(List.of(words));
    return command;
  }

  private static void run(String arguments, String... words) {
    CommandResult.run(command(arguments, words), Map.of(), "").output();
  }

  /** Those of the image, with another log. */
  private void arguments(Program program, String name, String... log) throws IOException {
    List<String> lines =
        new ArrayList<>(
            Files.readAllLines(root.resolve("opt/drydock").resolve(program.started.arguments())));
    lines.removeIf(line -> line.startsWith("-Xlog:"));
    lines.addAll(0, List.of(log));
    Files.write(root.resolve(name), lines);
  }

  /** Runs the program until it has served for a moment. */
  private int serve(Program program, String arguments) throws Exception {
    int port = Ports.free();
    String portFlag = program == Program.METRICS_EXPORTER ? "--metrics-port=" : "--health-port=";
    Files.deleteIfExists(root.resolve("k/kubelet.sock"));
    // a kubelet that never answers is enough to have the plugin call it
    try (ServerSocketChannel kubelet = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      kubelet.bind(UnixDomainSocketAddress.of(root.resolve("k/kubelet.sock")));
      ProcessBuilder builder =
          new ProcessBuilder(
                  command(
                      arguments,
                      "cxi",
                      program.word(),
                      program.flag,
                      "--host-root=/machine",
                      portFlag + port))
              .redirectErrorStream(true)
              .redirectOutput(root.resolve("log").toFile());
      builder.environment().remove("KUBECONFIG");
      builder.environment().putAll(environment);
      Process process = builder.start();
      try {
        String page = program == Program.DEVICE_PLUGIN ? "/healthz" : "/readyz";
        await()
            .atMost(LIMIT)
            .untilAsserted(
                () ->
                    assertThat(answers(port, page))
                        .as(Files.readString(root.resolve("log")))
                        .isTrue());
        if (program == Program.DEVICE_PLUGIN) {
          await().atMost(LIMIT).until(() -> Files.exists(root.resolve("k/cxi-plugin.sock")));
        }
        long pid = process.children().findFirst().orElseThrow().pid();
        // what was only needed to start is given back within seconds
        await()
            .atMost(LIMIT)
            .untilAsserted(() -> assertThat(residentMib(pid)).isLessThanOrEqualTo(MOST_MIB));
        return residentMib(pid);
      } finally {
        process.destroyForcibly();
        process.waitFor();
      }
    }
  }

  private static boolean answers(int port, String page) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:%d%s".formatted(port, page)).toURL().openConnection();
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int residentMib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElse(Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  void takesLittleMemoryAndLoadsItsOwnClassesOnly(Program program) throws Exception {
    arguments(program, "log.args", "-Xlog:class+load=info:file=/classes.log:none");

    int mebibytes = serve(program, "/log.args");

    System.err.printf(
        "%s: %d MiB resident, with %s%n",
        program.word(), mebibytes, String.join(" ", program.started.options()));
    List<Matcher> loaded =
        Files.readAllLines(root.resolve("classes.log")).stream()
            .map(LOADED::matcher)
            .filter(Matcher::find)
            .toList();
    assertThat(loaded.stream().map(each -> each.group(1)))
        .noneMatch(name -> name.matches(program.foreign))
        .noneMatch(name -> name.matches(NEVER));
    long fromJars = loaded.stream().filter(each -> each.group(2).matches("(file|jrt):.*")).count();
    assertThat(fromJars)
        .as(
            "classes that are not in the start-up cache, of %d; to write the list of classes: mvn verify -pl image -Dit.test=SmallProgramsIT -Dsmall-classes.write=true",
            loaded.size())
        .isLessThan(loaded.size() / 20);
  }

  /** What the start-up caches are made of. */
  @ParameterizedTest
  @EnumSource(SmallProgram.class)
  @EnabledIfSystemProperty(named = "small-classes.write", matches = "true")
  void writeTheListOfClasses(SmallProgram started) throws Exception {
    TreeSet<String> all = new TreeSet<>();
    for (Program program : Program.values()) {
      if (program.started == started) {
        arguments(program, "list.args", "-XX:DumpLoadedClassList=/classes.list");
        var _ = serve(program, "/list.args");
        String list = Files.readString(root.resolve("classes.list"));
        // it is killed while it writes a line
        list.substring(0, list.lastIndexOf('\n'))
            .lines()
            .filter(line -> !line.startsWith("#") && !line.startsWith("@cp "))
            .filter(line -> !line.contains("source:"))
            .map(line -> line.replaceFirst(" id: .*", ""))
            .forEach(all::add);
      }
    }
    assertThat(all).contains("dev/drydock/slingshot/command/NodeProgram");
    List<String> lines = new ArrayList<>();
    lines.add(
        "# What %s loads. Written by: mvn verify -pl image -Dit.test=SmallProgramsIT -Dsmall-classes.write=true"
            .formatted(started.mainClass()));
    lines.addAll(all);
    Files.write(
        Path.of("src/main/resources/dev/drydock/image").resolve(started.classList()), lines);
  }
}
