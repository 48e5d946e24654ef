package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.lifecycle.LifecycleEvent;
import dev.drydock.contracts.lifecycle.LifecycleTransition;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.LoopHealth;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.Features;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import dev.drydock.testkit.Eventually;
import io.fabric8.kubernetes.client.CustomResource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every definition's extremes, generated from its schema, are sent through a real API server to an
 * operator and an agent. What the server accepts is served or says why it is not; good objects
 * beside it are served, and no watch or loop ends.
 */
@ClusterTest
class ExtremeObjectsIT {
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final String NAMESPACE = "default";
  private static final int AT_ONCE = 16;
  private static final int VICTIMS = 8;
  private static final int CAMPAIGNS_AT_ONCE = 30;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path folder;
  private final Map<String, String> accepted = new ConcurrentHashMap<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  ExtremeObjectsIT(@TempDir Path folder) {
    this.folder = folder;
  }

  /** A kind, with valid objects that together have all its fields. */
  private record Kind(JsonNode definition, Resource resource, List<ObjectNode> samples) {
    static Kind of(Class<? extends CustomResource<?, ?>> type, String... samples) {
      JsonNode definition = read(CrdCatalog.yaml(List.of(type)));
      JsonNode spec = definition.path("spec");
      Resource resource =
          new Resource(
              text(spec, "group"),
              text(spec.path("versions").path(0), "name"),
              text(spec.path("names"), "plural"),
              text(spec.path("names"), "kind"),
              text(spec, "scope").equals("Namespaced"));
      List<ObjectNode> objects = new ArrayList<>();
      for (String sample : samples) {
        objects.add((ObjectNode) read(sample));
      }
      return new Kind(definition, resource, objects);
    }

    List<SchemaExtremes.Extreme> extremes() {
      return SchemaExtremes.of(definition, samples);
    }

    String path(String name) {
      return resource.path(resource.namespaced() ? NAMESPACE : "", name);
    }

    boolean is(Kind other) {
      return resource.equals(other.resource);
    }
  }

  private static JsonNode read(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final String CONDITIONS =
      "conditions: [{type: Other, status: 'True', reason: Why, message: m,"
          + " lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1}]";

  private static final String POLICY =
      "{force: true, ignoreDaemonSets: true, deleteEmptyDirData: true, disableEviction: false,"
          + " waitForJobs: true, gracePeriodSeconds: 5, podSelector: 'a=b',"
          + " skipWaitForDeleteSeconds: 1, deadlineSeconds: 3600, atDeadline: Fail,"
          + " forceAfterSeconds: 60, requestsResource: hpe.com/cxi}";

  private static final String JOB =
      "{metadata: {labels: {a: b}}, spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never,"
          + " containers: [{name: main, image: none}]}}}}";

  private static final Kind REQUESTS =
      Kind.of(
          DrainRequest.class,
          """
          spec:
            nodeName: victim-1
            checkName: check
            recommendedAction: reboot
            healthEventID: one
            reason: a test
            errorCode: ['79']
            entitiesImpacted: [{type: GPU, value: '0'}]
            metadata: {a: b}
            podsToDrain: {default: [guarded-1]}
            drainer: builtin
            policy: %s
          status:
            podsGone: 1
            podsLeft: 1
            eta: 1m
            etaAtLeastSeconds: 1
            etaAtMostSeconds: 2
            blockers: [{reason: r, message: m, next: n, pods: [a/b]}]
            pods:
              - namespace: a
                name: b
                uid: c
                condition: SlurmNodeStateDrain=True
                reason: r
                seenAt: '2026-01-01T00:00:00Z'
                deletedAt: '2026-01-01T00:00:00Z'
                goneAt: '2026-01-01T00:00:00Z'
            %s
          """
              .formatted(POLICY, CONDITIONS));

  private static final Kind MAINTENANCES =
      Kind.of(
          NotifyMaintenance.class,
          """
          spec:
            nodeObject: victim-2
            maintenanceID: one
            maintenanceType: planned
            additionalMessageChannels:
              amazonSNSTopicARN: arn:aws:sns:eu-central-1:123456789012:none.fifo
            metadataConfigmap: none
            owner: me
            maintenanceClass: good
          status:
            maintenanceStatus: MaintenanceScheduled
            slaExpires: '2026-01-01T00:00:00Z'
            conditions: [{type: a, status: b, reason: c, message: d, lastTransitionTime: '2026-01-01T00:00:00Z'}]
            transitionTimestamps: [{maintenanceStatus: MaintenanceScheduled, transitionTimestamp: '2026-01-01T00:00:00Z'}]
            history: [{at: '2026-01-01T00:00:00Z', what: MaintenanceScheduled, message: m}]
            waitingFor: w
            lastLogLines: [a]
          """);

  private static final Kind CLASSES =
      Kind.of(
          MaintenanceClass.class,
          """
          spec:
            drain: {builtin: {policy: %s}}
            maintenance: {job: {template: %s}}
            validation: {job: {template: %s}, soakSeconds: 1, retries: 1}
            slaPeriod: 5h
            deadlineSeconds: 3600
            budgets: [{key: zone, maxUnavailable: 1}]
          status: {%s}
          """
              .formatted(POLICY, JOB, JOB, CONDITIONS),
          """
          spec:
            drain: {drainRequest: {drainer: builtin}}
            maintenance: {outside: {}}
            validation: {outside: {}}
          """,
          """
          spec:
            drain: {lifecycleEvent: {transitionName: none}}
            maintenance: {outside: {}}
            validation: {none: {}}
          """,
          """
          spec:
            drain:
              template:
                apiVersion: nvsentinel.nvidia.com/v1alpha1
                kind: DrainRequest
                namespace: default
                labels: {a: b}
                spec: {nodeName: '${node}', drainer: nobody}
                completionCondition: DrainComplete
            maintenance: {outside: {}}
            validation: {none: {}}
          """,
          """
          spec:
            drain: {outside: {}}
            maintenance: {outside: {}}
            validation: {none: {}}
          """);

  private static final Kind CAMPAIGNS =
      Kind.of(
          MaintenanceCampaign.class,
          """
          spec:
            nodeSelector:
              matchLabels: {victim: 'yes'}
              matchExpressions: [{key: victim, operator: In, values: ['yes']}]
            maintenanceClass: good
            maintenanceID: one
            namespace: default
            budgets: [{key: zone, maxUnavailable: 1}]
            windows: [{schedule: '* * * * *', duration: 1h, timeZone: UTC}]
            exclusions: [{from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z'}]
            approval: {required: false}
            canary: {nodes: 1, soakSeconds: 1}
            batches: {start: 1, growth: 2, max: 4}
            stopOnFailures: 1
            paused: false
            stopped: false
            stopReason: a test
            priority: 0
            order: soonest
            patience: 30m
          status:
            observedGeneration: 1
            phase: Running
            startedAt: '2026-01-01T00:00:00Z'
            approvedBy: me
            counts: {total: 1, waiting: 1, inFlight: 1, done: 1, failed: 1}
            ledger: {namespace: default, done: 0}
            nodes: [{name: n, state: Next, since: '2026-01-01T00:00:00Z', eta: 1m, message: m}]
            eta: '2026-01-01T00:00:00Z'
            waitingFor: [{reason: r, message: m, until: '2026-01-01T00:00:00Z'}]
            %s
          """
              .formatted(CONDITIONS),
          """
          spec:
            nodeSelector: {matchLabels: {victim: 'yes'}}
            maintenanceClass: good
            exclusions: [{schedule: '@daily', duration: 1h, timeZone: UTC}]
            canary: {percent: 1, soakSeconds: 1}
          """);

  private static final Kind TRANSITIONS =
      Kind.of(
          LifecycleTransition.class,
          "spec: {start: a, end: b, nodeName: served, sla: 5m, driver: nobody}",
          "spec: {start: a, end: b, allNodes: true, driver: nobody}",
          """
          spec:
            start: a
            end: b
            driver: nobody
            nodeSelector:
              nodeSelectorTerms:
                - matchExpressions: [{key: a, operator: In, values: [b]}]
                  matchFields: [{key: metadata.name, operator: In, values: [served]}]
          """);

  private static final Kind EVENTS =
      Kind.of(
          LifecycleEvent.class,
          """
          spec: {transitionName: drain.slm.k8s.io-uncordon, bindingNode: served}
          status: {claimStatus: Pending, driver: d, sla: '2036-01-01T00:00:00Z', message: m}
          """);

  private static final String RESOURCES =
      "{limits: {cpu: 100m}, requests: {memory: 64Mi}, claims: [{name: c, request: r}]}";

  private static final String TOLERATIONS =
      "[{key: k, operator: Equal, value: v, effect: NoExecute, tolerationSeconds: 1}]";

  private static final Kind DRIVERS =
      Kind.of(
          CXIDriver.class,
          """
          spec:
            version: 1.8.3
            source:
              type: dkms
              repository: https://example.com/driver.tar.gz
              url: https://example.com/driver.tar.gz
              prebuiltCache: https://example.com/modules
              dkms:
                tag: release/shs-13.0.0
                platform: cassini
                repositories:
                  cxiDriver: {url: https://example.com/a, ref: main}
                  sbl: {url: https://example.com/b, ref: main}
                  slDriver: {url: https://example.com/c, ref: main}
                  cassiniHeaders: {url: https://example.com/d, ref: main}
            retryHandler:
              enabled: true
              mode: daemonset
              onCrash: restart
              image: none
              daemonset: {resources: %1$s, nodeSelector: {cxi: 'yes'}, tolerations: %2$s}
              sidecar: {resources: %1$s}
            devicePlugin:
              {enabled: true, resourceName: hpe.com/cxi, image: none, sharingMode: shared, sharedCapacity: 100}
            metricsExporter: {enabled: true, image: none, port: 9090, resources: %1$s}
            driverAgent: {image: none, resources: %1$s}
            nodeSelector: {cxi: 'yes'}
            tolerations: %2$s
            updateStrategy:
              type: RollingUpdate
              maxUnavailable: 10%%
              rollbackOnFailure: true
              healthCheckTimeout: 5m
              drain: {scope: CXIPods, deadlineSeconds: 60, atDeadline: Fail}
              paused: false
              gate: {soakSeconds: 1, maxLinkFlaps: 0, maxPcieErrors: 0, maxNacksPerMinute: 1}
              maxUnavailablePerSwitch: 1
          status:
            observedGeneration: 1
            ready: 1
            updating: 1
            failed: 1
            driverVersion: 1.8.3
            retryHandlerMode: daemonset
            webhookReady: true
            rollout: {revision: r, campaign: c, version: v, phase: Running, node: n, message: m}
            %3$s
          """
              .formatted(RESOURCES, TOLERATIONS, CONDITIONS));

  private static final Kind DEVICES =
      Kind.of(
          CXIDevice.class,
          """
          spec: {}
          status:
            node: victim-4
            device: cxi0
            type: pf
            pciAddress: '0000:41:00.0'
            numaNode: 0
            nid: 1
            switchID: 1
            linkSpeed: 200Gbps
            linkState: up
            driverVersion: 1.8.3
            driverChecksum: c
            cassiniGeneration: 1
            retryHandler:
              enabled: true
              policy: default
              stats: {totalRetries: 1, timeoutRetries: 1, nackRetries: 1, pendingRetries: 1}
            counters: {linkFlaps: 1, lastLinkRestart: '2026-01-01T00:00:00Z', pcieCorrectable: 1, pcieUncorrectable: 1}
            health: {status: Healthy, lastCheck: '2026-01-01T00:00:00Z', message: m}
            %s
          """
              .formatted(CONDITIONS));

  private static final Map<Class<? extends CustomResource<?, ?>>, Kind> BY_CLASS =
      Map.of(
          MaintenanceClass.class, CLASSES,
          DrainRequest.class, REQUESTS,
          NotifyMaintenance.class, MAINTENANCES,
          MaintenanceCampaign.class, CAMPAIGNS,
          LifecycleTransition.class, TRANSITIONS,
          LifecycleEvent.class, EVENTS,
          CXIDriver.class, DRIVERS,
          CXIDevice.class, DEVICES);

  private static final List<Kind> KINDS = List.copyOf(BY_CLASS.values());

  @Test
  void everyKindIsSent() {
    assertThat(BY_CLASS.keySet()).containsExactlyInAnyOrderElementsOf(CrdCatalog.KINDS);
  }

  @Test
  void whatTheServerAcceptsIsServedOrSaysWhyNotAndGoodObjectsAreServed() throws Exception {
    try (ControlPlane cluster = ControlPlane.start();
        SimulatedKubelets kubelets = SimulatedKubelets.start(cluster.client());
        KubeHttp http = new KubeHttp(cluster.client(), RequestInterceptor.NONE, 0)) {
      cluster.kubectlWithInput(CrdCatalog.yaml(), "create", "-f", "-").output();
      EstablishedDefinitions.await(cluster.client());
      for (int i = 1; i <= VICTIMS; i++) {
        kubelets.register("victim-" + i, NodeTemplate.DEFAULT.withLabel("victim", "yes"));
      }
      kubelets.register("served", NodeTemplate.DEFAULT);
      cluster.kubectlWithInput(FOREIGN, "create", "-f", "-").output();
      cluster.kubectlWithInput(GOOD_CLASS, "create", "-f", "-").output();
      try (Operator operator =
              Operator.defaults(cluster.client(), NAMESPACE, "test", RequestInterceptor.NONE);
          Kube agentKube =
              new Kube(
                  new KubeHttp(cluster.client(), RequestInterceptor.NONE, KubeHttp.PAGE_SIZE),
                  TimeSource.REAL);
          AgentRole.Running _ = agent(cluster, agentKube)) {
        operator.lead();
        atOnce(KINDS.size(), KINDS.stream().<Runnable>map(kind -> () -> send(http, kind)).toList());
        kubelets.register("good-1", NodeTemplate.DEFAULT.withLabel("good", "yes"));
        kubelets.register("good-2", NodeTemplate.DEFAULT);
        cluster.kubectlWithInput(GOOD, "create", "-f", "-").output();

        Kube kubeOfOperator = operator.context().kube();
        eventually(() -> goodOnesAreServed(http, kubeOfOperator.health().degraded().toString()));
        eventually(
            () ->
                assertThat(silent(http, KINDS.toArray(Kind[]::new)))
                    .as("accepted, and nothing is said")
                    .isEmpty());
        for (Kube kube : List.of(operator.context().kube(), agentKube)) {
          eventually(() -> assertThat(kube.health().unsynced()).isEmpty());
          eventually(() -> assertThat(kube.health().stuck()).isEmpty());
          assertThat(kube.health().loops())
              .filteredOn(loop -> loop.failures() > 0)
              .as("%s", kube.health().degraded())
              .extracting(LoopHealth::name)
              .isEmpty();
        }
      }
    }
  }

  private static void eventually(Eventually.Assertion check) {
    Eventually.inRealTime(Duration.ofMillis(200)).atMost(LIMIT).untilAsserted(check);
  }

  private AgentRole.Running agent(ControlPlane cluster, Kube kube) throws IOException {
    AgentRole role =
        Features.load().all().stream()
            .filter(feature -> feature.part().equals("lifecycle"))
            .map(Feature::agent)
            .flatMap(Optional::stream)
            .findFirst()
            .orElseThrow();
    var _ =
        new CommandLine(CommandSpec.forAnnotatedObject(role))
            .registerConverter(Duration.class, GoDuration::parse)
            .parseArgs(
                "--datadir=" + folder.resolve("d"),
                "--plugin-registration-path=" + folder.resolve("r"),
                "--claimer=always");
    return role.start(
        new AgentContext(
            kube, cluster.client(), "served", NAMESPACE, "test", new SimpleMeterRegistry()));
  }

  /** Creates all extremes of a kind, and writes their status where it is that which is extreme. */
  private void send(KubeHttp http, Kind kind) {
    List<SchemaExtremes.Extreme> extremes = kind.extremes();
    int chunk = kind.is(CAMPAIGNS) ? CAMPAIGNS_AT_ONCE : extremes.size();
    for (int from = 0; from < extremes.size(); from += chunk) {
      int to = Math.min(from + chunk, extremes.size());
      send(http, kind.resource(), extremes.subList(from, to), from);
      if (to < extremes.size()) {
        eventually(() -> assertThat(silent(http, kind)).isEmpty());
        delete(http, kind, from, to);
      }
    }
  }

  private void send(
      KubeHttp http, Resource resource, List<SchemaExtremes.Extreme> extremes, int from) {
    atOnce(
        AT_ONCE,
        IntStream.range(0, extremes.size())
            .<Runnable>mapToObj(
                i ->
                    () ->
                        send(http, resource, extremes.get(i), resource.plural() + "-" + (from + i)))
            .toList());
  }

  /** Runs them all, so many at a time. */
  private static void atOnce(int most, List<Runnable> all) {
    Semaphore places = new Semaphore(most);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> running =
          all.stream()
              .map(
                  each ->
                      CompletableFuture.runAsync(
                          () -> {
                            places.acquireUninterruptibly();
                            try {
                              each.run();
                            } finally {
                              places.release();
                            }
                          },
                          threads))
              .toList();
      running.forEach(CompletableFuture::join);
    }
  }

  /** Campaigns are planned together, and a cluster has few. */
  private static void delete(KubeHttp http, Kind kind, int from, int to) {
    atOnce(
        AT_ONCE,
        IntStream.range(from, to)
            .mapToObj(i -> ApiCall.delete(kind.path(kind.resource().plural() + "-" + i), "{}"))
            .<Runnable>map(call -> () -> http.send(call))
            .toList());
  }

  private void send(KubeHttp http, Resource resource, SchemaExtremes.Extreme extreme, String name) {
    ObjectNode object = extreme.object().deepCopy();
    spread(object, name);
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    object.putObject("metadata").put("name", name);
    JsonNode status = object.remove("status");
    String key = resource.kind() + "/" + name;
    String in = resource.namespaced() ? NAMESPACE : "";
    KubeAnswer created =
        http.send(ApiCall.create(resource.collection(in), SchemaExtremes.json(object)));
    if (!created.ok()) {
      refused.add(key + ": " + extreme.what());
      return;
    }
    if (extreme.isAbout("status") && status != null) {
      ObjectNode patch = YAML.createObjectNode();
      patch.set("status", status);
      KubeAnswer patched =
          http.send(ApiCall.mergePatch(resource.path(in, name) + "/status", patch.toString()));
      if (!patched.ok()) {
        refused.add(key + ": " + extreme.what());
        return;
      }
    }
    accepted.put(key, extreme.what());
  }

  /** Not all on one node, where they would wait for each other. */
  private static void spread(ObjectNode object, String name) {
    JsonNode spec = object.path("spec");
    if (text(spec, "nodeName").equals("victim-1")) {
      int victim = 1 + Math.floorMod(name.hashCode(), VICTIMS);
      ((ObjectNode) spec).put("nodeName", "victim-" + victim);
    }
  }

  private static void goodOnesAreServed(KubeHttp http, String degraded) {
    assertThat(
            get(http, REQUESTS, "good")
                .path("status")
                .path("conditions")
                .findValuesAsText("reason"))
        .containsAnyOf("NoPods", "DrainComplete");
    assertThat(text(get(http, MAINTENANCES, "good").path("status"), "maintenanceStatus"))
        .isEqualTo("MaintenanceScheduled");
    assertThat(text(get(http, CAMPAIGNS, "good").path("status"), "phase"))
        .as(degraded)
        .isEqualTo("Running");
    String uid = text(get(http, CAMPAIGNS, "good").path("metadata"), "uid");
    String maintenance = "good-good-1-" + uid.substring(0, 8);
    assertThat(text(get(http, MAINTENANCES, maintenance).path("status"), "maintenanceStatus"))
        .isEqualTo("MaintenanceStarted");
    assertThat(
            http.send(ApiCall.get(Resource.NODES.path("", "served")))
                .body()
                .path("metadata")
                .path("annotations")
                .path("drydock.dev/lifecycle-history")
                .asText())
        .contains("\"good\"")
        .contains("Succeeded");
  }

  private static JsonNode get(KubeHttp http, Kind kind, String name) {
    return http.send(ApiCall.get(kind.path(name))).body();
  }

  /** Accepted objects that are not served and say nothing. */
  private List<String> silent(KubeHttp http, Kind... kinds) {
    Set<String> toldOf = new HashSet<>();
    var _ =
        http.list(
            new Resource("events.k8s.io", "v1", "events", "Event", true).all(),
            event ->
                toldOf.add(
                    text(event.path("regarding"), "kind")
                        + "/"
                        + text(event.path("regarding"), "name")));
    ConcurrentLinkedQueue<String> silent = new ConcurrentLinkedQueue<>();
    for (Kind kind : kinds) {
      Resource resource = kind.resource();
      var _ =
          http.list(
              resource.all(),
              object -> {
                String key = resource.kind() + "/" + text(object.path("metadata"), "name");
                String what = accepted.get(key);
                boolean asked = what != null && !what.startsWith("status");
                if (asked && !toldOf.contains(key) && !isServed(kind, object)) {
                  silent.add(key + ": " + what);
                }
              });
    }
    return silent.stream().sorted().toList();
  }

  /** Classes and transitions are used by others; they say something only if they cannot be. */
  private static boolean isServed(Kind kind, JsonNode object) {
    JsonNode status = object.path("status");
    if (kind.is(REQUESTS)) {
      String drainer = text(object.path("spec"), "drainer");
      return !drainer.equals("builtin")
          || status.path("conditions").findValuesAsText("type").contains("DrainComplete");
    }
    if (kind.is(MAINTENANCES)) {
      return !text(status, "maintenanceStatus").isEmpty();
    }
    if (kind.is(CAMPAIGNS)) {
      return !text(status, "phase").isEmpty();
    }
    if (kind.is(DRIVERS)) {
      return status.path("conditions").findValuesAsText("type").contains("Available");
    }
    if (kind.is(EVENTS)) {
      return !text(status, "message").isEmpty() || !text(status, "claimStatus").equals("Pending");
    }
    return true;
  }

  /** Of tenants: pods and Jobs with the largest numbers that the API server takes. */
  private static final String FOREIGN =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: guarded-1, namespace: default, labels: {app: guarded}}
      spec:
        nodeName: victim-1
        terminationGracePeriodSeconds: 9223372036854775807
        containers: [{name: main, image: none}]
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: guarded, namespace: default}
      spec: {maxUnavailable: 0, selector: {matchLabels: {app: guarded}}}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: endless, namespace: default}
      spec:
        activeDeadlineSeconds: 9223372036854775807
        ttlSecondsAfterFinished: 2147483647
        template:
          spec:
            nodeName: victim-3
            restartPolicy: Never
            activeDeadlineSeconds: 2147483647
            terminationGracePeriodSeconds: 9223372036854775807
            containers: [{name: main, image: none}]
      """;

  private static final String GOOD_CLASS =
      """
      apiVersion: drydock.dev/v1alpha1
      kind: MaintenanceClass
      metadata: {name: good}
      spec: {drain: {outside: {}}, maintenance: {outside: {}}, validation: {none: {}}}
      """;

  private static final String GOOD =
      """
      apiVersion: drydock.dev/v1alpha1
      kind: MaintenanceCampaign
      metadata: {name: good}
      spec:
        nodeSelector: {matchLabels: {good: 'yes'}}
        maintenanceClass: good
        namespace: default
        priority: 1000000
        order: soonest
        budgets: [{maxUnavailable: 100%}]
      ---
      apiVersion: nvsentinel.nvidia.com/v1alpha1
      kind: DrainRequest
      metadata: {name: good, namespace: default}
      spec: {nodeName: good-2, drainer: builtin}
      ---
      apiVersion: ngn2.nvidia.com/v1alpha1
      kind: NotifyMaintenance
      metadata: {name: good, namespace: default}
      spec: {nodeObject: good-2, maintenanceID: good, maintenanceType: planned}
      ---
      apiVersion: node-lifecycle.drydock.dev/v1alpha1
      kind: LifecycleEvent
      metadata: {name: good}
      spec: {transitionName: drain.slm.k8s.io-uncordon, bindingNode: served}
      """;
}
