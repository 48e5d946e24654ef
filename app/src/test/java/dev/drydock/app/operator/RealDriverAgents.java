package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.slingshot.driver.AgentFolders;
import dev.drydock.slingshot.driver.DriverAgent;
import dev.drydock.slingshot.driver.DriverAgentSettings;
import dev.drydock.slingshot.driver.HostCommand;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The driver agents themselves: one for each pod of the operator's DaemonSet, with the variables of
 * that pod, on a fake machine for each node.
 */
final class RealDriverAgents implements AutoCloseable {
  private final TestCluster test;
  private final String namespace;
  private final Path folder;
  private final TestProcess observer;
  private final Watch<ApiObject> pods;
  private final ControlLoop loop;
  private final Map<String, TestProcess> running = new HashMap<>();

  RealDriverAgents(TestCluster test, String namespace, Path folder) {
    this.test = test;
    this.namespace = namespace;
    this.folder = folder;
    observer = test.process();
    loop = observer.kube().loop("agents", this::step);
    pods =
        observer
            .kube()
            .watches()
            .of(
                Watch.Kind.of(
                    Resource.PODS.in(namespace).labelSelector(CxiNames.COMPONENT + "=driver-agent"),
                    ApiObject::of),
                Watch.Listener.waking(() -> loop.wake()))
            .start();
  }

  private Instant step() {
    Set<String> there = new HashSet<>();
    for (ApiObject pod : pods.state().items()) {
      if (!pod.deleted() && text(pod.status(), "phase").equals("Running")) {
        there.add(pod.uid());
        running.computeIfAbsent(pod.uid(), _ -> start(pod));
      }
    }
    running
        .entrySet()
        .removeIf(
            each -> {
              boolean gone = !there.contains(each.getKey());
              if (gone) {
                each.getValue().kill();
              }
              return gone;
            });
    return Instant.MAX;
  }

  private TestProcess start(ApiObject pod) {
    String node = text(pod.spec(), "nodeName");
    Map<String, String> variables = new HashMap<>();
    for (JsonNode each : pod.spec().path("containers").path(0).path("env")) {
      variables.put(text(each, "name"), text(each, "value"));
    }
    TestProcess process = test.process();
    DriverTarget target =
        new DriverTarget(
            variables.getOrDefault("CXI_DRIVER_REVISION", ""),
            variables.getOrDefault("CXI_DRIVER_VERSION", ""),
            SourceType.valueOf(variables.getOrDefault("DRIVER_SOURCE_TYPE", "")),
            null,
            variables.get("PREBUILT_URL"),
            null,
            Platform.cassini,
            Map.of());
    FakeNics machine = machine(node);
    DriverAgent.of(
            process.kube(),
            new DriverAgentSettings(
                node, namespace, pod.uid(), target, Duration.ofSeconds(30), 0, true, false),
            AgentFolders.below(root(node), machine.roots()),
            HostCommand.programsIn(root(node)),
            variables.getOrDefault("RESOURCE_NAME", ""))
        .start();
    return process;
  }

  private Path root(String node) {
    return folder.resolve(node);
  }

  private FakeNics machine(String node) {
    try {
      if (Files.exists(root(node))) {
        return FakeNics.open(root(node), test.clock());
      }
      FakeNics made = FakeNics.create(root(node), FakeNics.KERNEL, test.clock());
      Files.writeString(made.roots().proc().resolve("modules"), "");
      made.add(FakeNic.numbered(0));
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the kernel of a node would load. */
  String inPlace(String node) throws IOException {
    return Files.readString(
        root(node).resolve("lib/modules/%s/extra/cxi/cxi-ss1.ko".formatted(FakeNics.KERNEL)));
  }

  /** Which modules were loaded and unloaded on a node. */
  String loads(String node) throws IOException {
    return Files.readString(root(node).resolve("run/modules.log"));
  }

  @Override
  public void close() {
    running.values().forEach(TestProcess::kill);
    observer.close();
  }
}
