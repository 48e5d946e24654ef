package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.testbed.ClusterTest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two agents with exactly the rights of the manifests and tokens as kubelets give them to pods:
 * each can do its work, and nothing to the other's node.
 */
@ClusterTest
@ExtendWith(DrainsOnRealClusterIT.Fixture.class)
class AgentRightsIT {
  private static final String DRY = "?dryRun=All";

  private LifecycleFixture fixture;
  private AgentFixture agentFixture;
  private String mine;
  private String other;

  /** What an agent may do to its own node alone, and the policy that keeps it from others. */
  private record Attempt(String policy, ApiCall call) {}

  @BeforeEach
  void deploy(LifecycleFixture own) {
    fixture = own;
    mine = own.node();
    other = own.node();
    agentFixture = new AgentFixture(own, List.of(mine, other));
  }

  @AfterEach
  void close() {
    try (LifecycleFixture _ = fixture;
        AgentFixture agents = agentFixture) {
      for (String group : LifecycleNames.GROUPS) {
        var _ =
            agents.kubectl(
                "delete",
                "--ignore-not-found",
                LifecycleNames.EVENTS + "." + group,
                "event-" + mine,
                "event-" + other);
      }
    }
  }

  @Test
  void eachAgentDrainsAndGivesBackItsOwnNode() throws IOException {
    List<String> nodes = List.of(mine, other);
    nodes.forEach(agentFixture::occupy);
    for (String node : nodes) {
      agentFixture.start(node);
    }

    nodes.forEach(node -> fixture.event("drain-" + node, agentFixture.driver, node));
    nodes.forEach(node -> fixture.awaitGone("drain-" + node));

    for (String node : nodes) {
      fixture
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(fixture.pods(node))
                      .extracting(pod -> pod.getMetadata().getNamespace())
                      .as("all but that of the DaemonSet")
                      .containsExactly(AgentFixture.NAMESPACE));
      assertThat(fixture.isCordoned(node)).isTrue();
      assertThat(agentFixture.holder(node)).isEqualTo(node);
    }

    nodes.forEach(
        node -> fixture.event("uncordon-" + node, agentFixture.driver + "-uncordon", node));
    nodes.forEach(node -> fixture.awaitGone("uncordon-" + node));

    assertThat(nodes).noneMatch(fixture::isCordoned);
    assertThat(nodes).allMatch(node -> fixture.last(node).outcome().equals("Succeeded"));
    assertThat(agentFixture.forbidden).isEmpty();
  }

  @Test
  void nothingCanBeDoneToTheNodeOfAnother() {
    KubeHttp agent = agentFixture.as(mine);
    KubeHttp unbound = agentFixture.unbound();
    List.of(mine, other).forEach(this::furnish);

    for (Attempt attempt : attempts(other)) {
      assertRefused(agent, attempt);
    }
    for (Attempt attempt : attempts(mine)) {
      assertRefused(unbound, attempt);
      KubeAnswer answer = agent.send(attempt.call());
      assertThat(answer.ok()).as(attempt + ": " + answer.message()).isTrue();
    }
  }

  @Test
  void theLeaseOfAnotherCannotBeTaken() {
    KubeHttp agent = agentFixture.as(mine);
    KubeHttp unbound = agentFixture.unbound();

    assertRefused(agent, create(other));
    assertRefused(unbound, create(mine));
    assertThat(agent.send(create(mine).call()).ok()).isTrue();
  }

  @Test
  void evenAtHomeThereIsNoMoreThanItsWork() {
    KubeHttp agent = agentFixture.as(mine);
    KubeHttp unbound = agentFixture.unbound();
    fixture.pod("web", mine);
    fixture.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: nowhere, namespace: %s}
        spec: {schedulerName: nobody, containers: [{name: main, image: none}]}
        """
            .formatted(fixture.namespace));
    LifecycleRef ofAll = new LifecycleRef(LifecycleNames.OWN_GROUP, agentFixture.driver);
    fixture.apply(transition(ofAll.group(), ofAll.name(), ""));
    LifecycleRef ofOther =
        new LifecycleRef(LifecycleNames.OWN_GROUP, agentFixture.driver + "-uncordon");
    fixture.apply(transition(ofOther.group(), ofOther.name(), other));

    String node = Resource.NODES.path("", mine) + DRY;
    assertRefused(
        agent,
        new Attempt(
            "agent-node", ApiCall.mergePatch(node, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")));
    assertRefused(
        agent,
        new Attempt(
            "agent-node",
            ApiCall.mergePatch(
                node, "{\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"}]}}")));
    assertRefused(
        agent,
        new Attempt(
            "agent-node",
            ApiCall.mergePatch(node, "{\"metadata\":{\"finalizers\":[\"example.com/stay\"]}}")));
    assertAllowed(agent, ApiCall.mergePatch(node, holds(Holds.MOST)));
    assertRefused(
        agent, new Attempt("agent-node", ApiCall.mergePatch(node, holds(Holds.MOST + 1))));
    for (String spelled : List.of("\"since\" :", "\"\\u0073ince\":", " \"since\":")) {
      String hidden = written(Holds.MOST + 1).replace("\"since\":", spelled);
      assertRefused(agent, new Attempt("agent-node", ApiCall.mergePatch(node, holds(hidden))));
    }
    assertRefused(agent, new Attempt("agent-node", ApiCall.mergePatch(node, holds("{}garbage"))));
    assertAllowed(agent, ApiCall.mergePatch(node, holds(written(every()))));
    for (KubeHttp each : List.of(agent, unbound)) {
      assertRefused(each, new Attempt("agent-pod", delete(pod("nowhere"))));
    }
    assertRefused(agent, new Attempt("agent-eviction", eviction("web", uid("web"), Json.object())));
    assertRefused(agent, new Attempt("agent-evicted-pod", eviction("web", "another", mark())));
    assertRefused(
        agent, new Attempt("agent-lifecycletransition", delete(LifecyclePaths.transition(ofAll))));
    assertRefused(
        agent,
        new Attempt("agent-lifecycletransition", delete(LifecyclePaths.transition(ofOther))));
  }

  /** A patch of a Node, with as many holds. */
  private static String holds(int count) {
    return holds(written(count));
  }

  private static String holds(String text) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putObject("annotations").put(HoldsAnnotation.NAME, text);
    return patch.toString();
  }

  private static String written(int count) {
    List<Hold> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(Hold.of("drainrequest/n/" + i, "says \"since\":", Instant.EPOCH));
    }
    return written(some);
  }

  private static String written(List<Hold> holds) {
    return HoldsAnnotation.write(Holds.of(holds, true)).orElseThrow();
  }

  /** Every form in which Drydock writes a hold. */
  private static List<Hold> every() {
    Hold plain = Hold.of("user/me \\ \u00e9", "\t\"quoted\" {\"a\": 1} \u2028", Instant.EPOCH);
    Hold full =
        Hold.of("notifymaintenance/ops/a", "", Instant.EPOCH)
            .until(Instant.EPOCH.plusSeconds(1))
            .ownedBy("uid")
            .working(new Hold.Work("ops", "job", ""));
    return List.of(plain, full, Hold.of("c", "r", Instant.EPOCH).ownedBy("uid"));
  }

  @Test
  void transitionsOfAllNodesArePublishedButNotChanged() {
    KubeHttp agent = agentFixture.as(mine);
    KubeHttp unbound = agentFixture.unbound();
    String policy = "agent-lifecycletransition";
    for (String group : LifecycleNames.GROUPS) {
      ApiCall create =
          ApiCall.create(
              "/apis/%s/v1alpha1/%s%s".formatted(group, LifecycleNames.TRANSITIONS, DRY),
              transition(group, agentFixture.driver, ""));
      assertRefused(unbound, new Attempt(policy, create));
      assertAllowed(agent, create);

      fixture.apply(transition(group, agentFixture.driver, ""));
      String path = LifecyclePaths.transition(new LifecycleRef(group, agentFixture.driver)) + DRY;
      for (String field : List.of("driver", "start", "end", "sla")) {
        ApiCall change = ApiCall.mergePatch(path, "{\"spec\":{\"%s\":\"1s\"}}".formatted(field));
        assertRefused(agent, new Attempt(policy, change));
        assertRefused(unbound, new Attempt(policy, change));
      }
      String owner =
          "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"gone\",\"uid\":\"12345678-1234-1234-1234-123456789012\"}";
      for (String metadata :
          List.of(
              "\"ownerReferences\":[%s]".formatted(owner),
              "\"finalizers\":[\"example.com/stay\"]",
              "\"labels\":{\"a\":\"b\"}",
              "\"annotations\":{\"a\":\"b\"}")) {
        ApiCall change = ApiCall.mergePatch(path, "{\"metadata\":{%s}}".formatted(metadata));
        assertRefused(agent, new Attempt(policy, change));
      }
      ApiCall again = ApiCall.mergePatch(path, "{\"spec\":{\"driver\":\"c\"}}");
      assertAllowed(agent, again);
      assertRefused(unbound, new Attempt(policy, again));
    }
  }

  /** What agents of other tests published on this cluster. */
  private void deletePublished() {
    var _ =
        agentFixture.kubectl(
            "delete",
            LifecycleNames.TRANSITIONS + "." + LifecycleNames.OWN_GROUP,
            "kssd-drain",
            "kssd-maintenance-complete",
            "kssd-maintenance-completed",
            "--ignore-not-found");
  }

  @Test
  void itsOwnTransitionsArePutBack() {
    deletePublished();
    KubeHttp agent = agentFixture.as(mine);
    String policy = "agent-lifecycletransition";
    LifecycleRef ref = new LifecycleRef(LifecycleNames.OWN_GROUP, "kssd-maintenance-completed");
    fixture.apply(transition(ref.group(), ref.name(), ""));
    try {
      String path = LifecyclePaths.transition(ref) + DRY;
      String spec = "\"start\":\"uncordoning\",\"end\":\"maintenance-complete\"";
      String driver = "\"driver\":\"kubectl-server-side-drain\"";

      assertAllowed(agent, ApiCall.mergePatch(path, "{\"spec\":{%s,%s}}".formatted(spec, driver)));
      assertRefused(
          agent,
          new Attempt(
              policy,
              ApiCall.mergePatch(
                  path, "{\"spec\":{%s,%s,\"sla\":\"1s\"}}".formatted(spec, driver))));
      assertRefused(
          agent,
          new Attempt(
              policy,
              ApiCall.mergePatch(path, "{\"spec\":{%s,\"driver\":\"evil\"}}".formatted(spec))));
    } finally {
      var _ =
          agentFixture.kubectl(
              "delete", LifecycleNames.TRANSITIONS + "." + ref.group(), ref.name());
    }
    assertRefused(
        agent,
        new Attempt(
            policy,
            ApiCall.create(
                "/apis/%s/v1alpha1/%s%s".formatted(ref.group(), LifecycleNames.TRANSITIONS, DRY),
                transition(ref.group(), ref.name(), ""))));
  }

  @Test
  void aPublishedNameIsTakenOnlyAsPublishedForAllNodesAndInTime() {
    deletePublished();
    KubeHttp agent = agentFixture.as(mine);
    String policy = "agent-lifecycletransition";
    String group = LifecycleNames.OWN_GROUP;
    String driver = "kubectl-server-side-drain";

    assertRefused(agent, new Attempt(policy, publish(driver, mine, "5m")));
    assertRefused(agent, new Attempt(policy, publish("evil", mine, "5m")));
    assertRefused(agent, new Attempt(policy, publish("evil", "", "5m")));
    for (String sla : List.of("1ns", "999ms", "169h", "")) {
      assertRefused(agent, new Attempt(policy, publish(driver, "", sla)));
    }
    assertAllowed(agent, publish(driver, "", "1s"));
    assertAllowed(agent, publish(driver, "", "168h"));
    assertAllowed(
        agent,
        ApiCall.create(
            "/apis/%s/v1alpha1/%s%s".formatted(group, LifecycleNames.TRANSITIONS, DRY),
            transition(group, "of-one-node", mine)));
  }

  /** A transition with one of the agent's own names, for one node or for all. */
  private static ApiCall publish(String driver, String node, String sla) {
    String group = LifecycleNames.OWN_GROUP;
    ObjectNode transition = Json.object();
    transition.put("apiVersion", group + "/" + LifecycleNames.VERSION);
    transition.put("kind", "LifecycleTransition").putObject("metadata").put("name", "kssd-drain");
    ObjectNode spec = transition.putObject("spec");
    spec.put("start", "drain-started").put("end", "drain-complete").put("driver", driver);
    if (node.isEmpty()) {
      spec.put("allNodes", true);
    } else {
      spec.put("nodeName", node);
    }
    if (!sla.isEmpty()) {
      spec.put("sla", sla);
    }
    return ApiCall.create(
        "/apis/%s/v1alpha1/%s%s".formatted(group, LifecycleNames.TRANSITIONS, DRY),
        transition.toString());
  }

  @Test
  void eventsAreAboutItsOwnNode() {
    KubeHttp agent = agentFixture.as(mine);
    KubeHttp unbound = agentFixture.unbound();

    assertAllowed(agent, event("Node", mine));
    assertRefused(agent, new Attempt("agent-event", event("Node", other)));
    assertRefused(agent, new Attempt("agent-event", event("Pod", mine)));
    assertRefused(unbound, new Attempt("agent-event", event("Node", mine)));
    assertRefused(unbound, new Attempt("agent-event", event("Node", "(none in its token)")));
  }

  private static ApiCall event(String kind, String name) {
    ObjectNode event = Json.object();
    event.put("apiVersion", "events.k8s.io/v1").put("kind", "Event");
    event.putObject("metadata").put("generateName", "agent-").put("namespace", "default");
    event.put("eventTime", "2026-01-01T00:00:00.000000Z");
    event.put("reportingController", "drydock.dev").put("reportingInstance", "drydock");
    event.put("action", "Lifecycle").put("reason", "Tested").put("type", "Normal");
    event.putObject("regarding").put("apiVersion", "v1").put("kind", kind).put("name", name);
    return ApiCall.create(
        "/apis/events.k8s.io/v1/namespaces/default/events" + DRY, event.toString());
  }

  private void assertAllowed(KubeHttp agent, ApiCall call) {
    KubeAnswer answer = agent.send(call);
    assertThat(answer.ok()).as(call + ": " + answer.message()).isTrue();
  }

  @Test
  void anAgentThatIsRefusedItsLeaseSaysSo() throws IOException {
    // policies take effect a moment after they were made
    assertRefused(agentFixture.as(mine), create(other));

    LifecycleAgent agent = agentFixture.start(other, mine);

    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(agent.unready())
                    .hasValueSatisfying(
                        why ->
                            assertThat(why)
                                .contains(LifecycleAgent.lease(other))
                                .contains("may not change Lease")));
  }

  @Test
  void whatServesTheKindsCanBeSeen() {
    KubeHttp agent = agentFixture.as(mine);

    for (String group : LifecycleNames.GROUPS) {
      String definition = LifecycleNames.EVENTS + "." + group;
      KubeAnswer answer =
          agent.send(
              ApiCall.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + definition));
      assertThat(answer.ok()).as(answer.message()).isTrue();
    }
  }

  /** What is attempted on. */
  private void furnish(String node) {
    fixture.pod("web-" + node, node);
    for (String group : LifecycleNames.GROUPS) {
      fixture.apply(
          """
          apiVersion: %s/v1alpha1
          kind: LifecycleEvent
          metadata: {name: event-%s}
          spec: {transitionName: none, bindingNode: %s}
          """
              .formatted(group, node, node));
    }
    fixture.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: %s, namespace: %s}
        spec: {holderIdentity: somebody}
        """
            .formatted(LifecycleAgent.lease(node), LifecycleAgent.LEASE_NAMESPACE));
  }

  private List<Attempt> attempts(String node) {
    String annotations = "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}";
    List<Attempt> attempts = new ArrayList<>();
    String path = Resource.NODES.path("", node);
    attempts.add(new Attempt("agent-node", ApiCall.mergePatch(path + DRY, annotations)));
    attempts.add(
        new Attempt(
            "agent-node", ApiCall.mergePatch(path + DRY, "{\"spec\":{\"unschedulable\":true}}")));
    attempts.add(
        new Attempt(
            "agent-node",
            ApiCall.strategicPatch(
                path + "/status" + DRY,
                "{\"status\":{\"conditions\":[{\"type\":\"A\",\"status\":\"True\"}]}}")));
    for (String group : LifecycleNames.GROUPS) {
      String event = LifecyclePaths.eventKind(group).path("", "event-" + node);
      String policy = "agent-lifecycleevent";
      attempts.add(new Attempt(policy, ApiCall.mergePatch(event + DRY, annotations)));
      attempts.add(
          new Attempt(
              policy,
              ApiCall.mergePatch(event + "/status" + DRY, "{\"status\":{\"message\":\"a\"}}")));
      attempts.add(new Attempt(policy, delete(event)));
      attempts.add(
          new Attempt(
              "agent-lifecycletransition",
              ApiCall.create(
                  "/apis/%s/v1alpha1/%s%s".formatted(group, LifecycleNames.TRANSITIONS, DRY),
                  transition(group, agentFixture.driver, node))));
    }
    attempts.add(
        new Attempt(
            "agent-lease",
            ApiCall.mergePatch(leases() + "/" + LifecycleAgent.lease(node) + DRY, annotations)));
    attempts.add(new Attempt("agent-pod", delete(pod("web-" + node))));
    attempts.add(
        new Attempt("agent-evicted-pod", eviction("web-" + node, uid("web-" + node), mark())));
    return attempts;
  }

  private static String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/%s/leases"
        .formatted(LifecycleAgent.LEASE_NAMESPACE);
  }

  private static Attempt create(String node) {
    ObjectNode lease = Json.object();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", LifecycleAgent.lease(node));
    return new Attempt("agent-lease", ApiCall.create(leases() + DRY, lease.toString()));
  }

  private String pod(String name) {
    return "/api/v1/namespaces/%s/pods/%s".formatted(fixture.namespace, name);
  }

  private String uid(String pod) {
    return agentFixture.kubectl(
        "get", "pod", pod, "-n", fixture.namespace, "-o", "jsonpath={.metadata.uid}");
  }

  private static ObjectNode mark() {
    return Json.object().put(LifecycleNames.EVICTED_BY, "agent");
  }

  private ApiCall eviction(String name, String uid, ObjectNode labels) {
    ObjectNode eviction = Json.object();
    eviction.put("apiVersion", "policy/v1").put("kind", "Eviction");
    eviction.putObject("metadata").put("name", name).set("labels", labels);
    eviction.putObject("deleteOptions").putObject("preconditions").put("uid", uid);
    return ApiCall.create(pod(name) + "/eviction" + DRY, eviction.toString());
  }

  /** A deletion that has a body is not made dry by its query. */
  private static ApiCall delete(String path) {
    return ApiCall.delete(
        path, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"dryRun\":[\"All\"]}");
  }

  /** For one node, or for all if it is empty. */
  private static String transition(String group, String name, String node) {
    ObjectNode transition = Json.object();
    transition.put("apiVersion", group + "/" + LifecycleNames.VERSION);
    transition.put("kind", "LifecycleTransition").putObject("metadata").put("name", name);
    ObjectNode spec = transition.putObject("spec");
    spec.put("start", "a").put("end", "b").put("driver", "c");
    if (node.isEmpty()) {
      spec.put("allNodes", true);
    } else {
      spec.put("nodeName", node);
    }
    return transition.toString();
  }

  /** Policies take effect a moment after they were made. */
  private void assertRefused(KubeHttp agent, Attempt attempt) {
    fixture
        .eventually()
        .untilAsserted(
            () -> {
              KubeAnswer answer = agent.send(attempt.call());
              assertThat(answer.code()).as(attempt + ": " + answer.message()).isEqualTo(403);
              assertThat(answer.message())
                  .as(attempt.toString())
                  .contains("ValidatingAdmissionPolicy '" + attempt.policy() + ".drydock.dev'");
            });
  }
}
