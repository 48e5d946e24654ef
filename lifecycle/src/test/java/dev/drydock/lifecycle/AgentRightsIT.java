package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.decide.Ref;
import dev.drydock.testbed.ClusterTest;
import java.io.IOException;
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
@ExtendWith(DrainsOnRealClusterIT.RealPier.class)
class AgentRightsIT {
  private static final String DRY = "?dryRun=All";

  private Pier pier;
  private Crew crew;
  private String mine;
  private String other;

  /** What an agent may do to its own node alone, and the policy that keeps it from others. */
  private record Deed(String policy, ApiCall call) {}

  @BeforeEach
  void deploy(Pier own) {
    pier = own;
    mine = own.node();
    other = own.node();
    crew = new Crew(own, List.of(mine, other));
  }

  @AfterEach
  void close() {
    try (Pier _ = pier;
        Crew agents = crew) {
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
    nodes.forEach(crew::occupy);
    for (String node : nodes) {
      crew.start(node);
    }

    nodes.forEach(node -> pier.event("drain-" + node, crew.driver, node));
    nodes.forEach(node -> pier.awaitGone("drain-" + node));

    for (String node : nodes) {
      eventually()
          .untilAsserted(
              () ->
                  assertThat(pier.pods(node))
                      .extracting(pod -> pod.getMetadata().getNamespace())
                      .as("all but that of the DaemonSet")
                      .containsExactly(Crew.NAMESPACE));
      assertThat(pier.isCordoned(node)).isTrue();
      assertThat(crew.holder(node)).isEqualTo(node);
    }

    nodes.forEach(node -> pier.event("uncordon-" + node, crew.driver + "-uncordon", node));
    nodes.forEach(node -> pier.awaitGone("uncordon-" + node));

    assertThat(nodes).noneMatch(pier::isCordoned);
    assertThat(nodes).allMatch(node -> pier.last(node).outcome().equals("Succeeded"));
    assertThat(crew.forbidden).isEmpty();
  }

  @Test
  void nothingCanBeDoneToTheNodeOfAnother() {
    KubeHttp agent = crew.as(mine);
    KubeHttp unbound = crew.unbound();
    List.of(mine, other).forEach(this::furnish);

    for (Deed deed : deeds(other)) {
      assertRefused(agent, deed);
    }
    for (Deed deed : deeds(mine)) {
      assertRefused(unbound, deed);
      KubeAnswer answer = agent.send(deed.call());
      assertThat(answer.ok()).as(deed + ": " + answer.message()).isTrue();
    }
  }

  @Test
  void theLeaseOfAnotherCannotBeTaken() {
    KubeHttp agent = crew.as(mine);
    KubeHttp unbound = crew.unbound();

    assertRefused(agent, create(other));
    assertRefused(unbound, create(mine));
    assertThat(agent.send(create(mine).call()).ok()).isTrue();
  }

  @Test
  void evenAtHomeThereIsNoMoreThanItsWork() {
    KubeHttp agent = crew.as(mine);
    KubeHttp unbound = crew.unbound();
    pier.pod("web", mine);
    pier.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: nowhere, namespace: %s}
        spec: {schedulerName: nobody, containers: [{name: main, image: none}]}
        """
            .formatted(pier.namespace));
    Ref ofAll = new Ref(LifecycleNames.OWN_GROUP, crew.driver);
    pier.apply(transition(ofAll.group(), ofAll.name(), ""));
    Ref ofOther = new Ref(LifecycleNames.OWN_GROUP, crew.driver + "-uncordon");
    pier.apply(transition(ofOther.group(), ofOther.name(), other));

    String node = LifecyclePaths.node(mine) + DRY;
    assertRefused(
        agent,
        new Deed(
            "agent-node", ApiCall.mergePatch(node, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")));
    assertRefused(
        agent,
        new Deed(
            "agent-node",
            ApiCall.mergePatch(
                node, "{\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"}]}}")));
    for (KubeHttp each : List.of(agent, unbound)) {
      assertRefused(each, new Deed("agent-pod", delete(pod("nowhere"))));
    }
    assertRefused(agent, new Deed("agent-eviction", eviction("web", uid("web"), Json.object())));
    assertRefused(agent, new Deed("agent-evicted-pod", eviction("web", "another", mark())));
    assertRefused(
        agent, new Deed("agent-lifecycletransition", delete(LifecyclePaths.transition(ofAll))));
    assertRefused(
        agent, new Deed("agent-lifecycletransition", delete(LifecyclePaths.transition(ofOther))));
  }

  @Test
  void whatServesTheKindsCanBeSeen() {
    KubeHttp agent = crew.as(mine);

    for (String group : LifecycleNames.GROUPS) {
      String definition = LifecycleNames.EVENTS + "." + group;
      KubeAnswer answer =
          agent.send(
              ApiCall.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + definition));
      assertThat(answer.ok()).as(answer.message()).isTrue();
    }
  }

  /** What deeds are done to. */
  private void furnish(String node) {
    pier.pod("web-" + node, node);
    for (String group : LifecycleNames.GROUPS) {
      pier.apply(
          """
          apiVersion: %s/v1alpha1
          kind: LifecycleEvent
          metadata: {name: event-%s}
          spec: {transitionName: none, bindingNode: %s}
          """
              .formatted(group, node, node));
    }
    pier.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: %s, namespace: %s}
        spec: {holderIdentity: somebody}
        """
            .formatted(Agent.lease(node), Agent.LEASE_NAMESPACE));
  }

  private List<Deed> deeds(String node) {
    String annotations = "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}";
    List<Deed> deeds = new ArrayList<>();
    String path = LifecyclePaths.node(node);
    deeds.add(new Deed("agent-node", ApiCall.mergePatch(path + DRY, annotations)));
    deeds.add(
        new Deed(
            "agent-node", ApiCall.mergePatch(path + DRY, "{\"spec\":{\"unschedulable\":true}}")));
    deeds.add(
        new Deed(
            "agent-node",
            ApiCall.strategicPatch(
                path + "/status" + DRY,
                "{\"status\":{\"conditions\":[{\"type\":\"A\",\"status\":\"True\"}]}}")));
    for (String group : LifecycleNames.GROUPS) {
      String event = LifecyclePaths.event(new Ref(group, "event-" + node));
      String policy = "agent-lifecycleevent";
      deeds.add(new Deed(policy, ApiCall.mergePatch(event + DRY, annotations)));
      deeds.add(
          new Deed(
              policy,
              ApiCall.mergePatch(event + "/status" + DRY, "{\"status\":{\"message\":\"a\"}}")));
      deeds.add(new Deed(policy, delete(event)));
      deeds.add(
          new Deed(
              "agent-lifecycletransition",
              ApiCall.create(
                  "/apis/%s/v1alpha1/%s%s".formatted(group, LifecycleNames.TRANSITIONS, DRY),
                  transition(group, crew.driver, node))));
    }
    deeds.add(
        new Deed(
            "agent-lease",
            ApiCall.mergePatch(leases() + "/" + Agent.lease(node) + DRY, annotations)));
    deeds.add(new Deed("agent-pod", delete(pod("web-" + node))));
    deeds.add(new Deed("agent-evicted-pod", eviction("web-" + node, uid("web-" + node), mark())));
    return deeds;
  }

  private static String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(Agent.LEASE_NAMESPACE);
  }

  private static Deed create(String node) {
    ObjectNode lease = Json.object();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", Agent.lease(node));
    return new Deed("agent-lease", ApiCall.create(leases() + DRY, lease.toString()));
  }

  private String pod(String name) {
    return "/api/v1/namespaces/%s/pods/%s".formatted(pier.namespace, name);
  }

  private String uid(String pod) {
    return crew.kubectl("get", "pod", pod, "-n", pier.namespace, "-o", "jsonpath={.metadata.uid}");
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
  private static void assertRefused(KubeHttp agent, Deed deed) {
    eventually()
        .untilAsserted(
            () -> {
              KubeAnswer answer = agent.send(deed.call());
              assertThat(answer.code()).as(deed + ": " + answer.message()).isEqualTo(403);
              assertThat(answer.message())
                  .as(deed.toString())
                  .contains("ValidatingAdmissionPolicy '" + deed.policy() + ".drydock.dev'");
            });
  }
}
