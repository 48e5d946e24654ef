package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.testbed.CommandResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What API servers make of the two kinds, in both groups. */
abstract class KindsContract {
  private LifecycleFixture fixture;

  @BeforeEach
  void open(LifecycleFixture own) {
    fixture = own;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private CommandResult transition(String group, String name, String spec) {
    return fixture
        .cluster()
        .kubectl(
            """
            apiVersion: %s/v1alpha1
            kind: LifecycleTransition
            metadata: {name: %s}
            spec: {%s}
            """
                .formatted(group, name, spec),
            "apply",
            "--server-side",
            "-f",
            "-");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          start: a, end: b, driver: d                               | exactly one of nodeName, nodeSelector and allNodes
          start: a, end: b, driver: d, allNodes: true, nodeName: one  | exactly one of nodeName, nodeSelector and allNodes
          start: a, end: b, driver: d, allNodes: false              | spec.allNodes may only be true
          start: a, end: b, driver: d, nodeName: ""                 | spec.nodeName
          start: a, end: b, driver: d, allNodes: true, sla: soon    | spec.sla must be a time of more than 0
          start: a, end: b, driver: d, allNodes: true, sla: 0s      | spec.sla must be a time of more than 0
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: []} | exactly one term
          start: a, end: b, driver: d, nodeName: a..b               | spec.nodeName
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In}]}]} | In and NotIn need values
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: []}]}]} | In and NotIn need values
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: Exists, values: [x]}]}]} | Exists and DoesNotExist none
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: Gt, values: ["1", "2"]}]}]} | Gt and Lt exactly one
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: spec.unschedulable, operator: In, values: [x]}]}]} | only name metadata.name
          start: a, end: b, driver: d, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [x, z]}]}]} | exactly one value
          start: a, end: b, allNodes: true                          | spec.driver
          start: a, driver: d, allNodes: true                       | spec.end
          """)
  void aTransitionThatMakesNoSenseIsRefusedWithTheField(String spec, String why) {
    CommandResult result = transition(LifecycleNames.COMPAT_GROUP, "bad", spec);

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.standardError()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: [a, b]}, {key: l, operator: Exists}]}]}",
        "nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: NotIn, values: [one]}]}]}",
        "nodeName: node-1.example.com",
        "allNodes: true, sla: 300ms",
        "allNodes: true, sla: 1.5s",
        "allNodes: true, sla: 5m0s"
      })
  void aTransitionOfTheOriginalIsAccepted(String scope) {
    String name = "ok-" + fixture.namespace;

    transition(LifecycleNames.COMPAT_GROUP, name, "start: a, end: b, driver: d, " + scope).output();

    fixture.kubectl("delete", "lifecycletransitions." + LifecycleNames.COMPAT_GROUP, name).output();
  }

  @ParameterizedTest
  @ValueSource(strings = {LifecycleNames.COMPAT_GROUP, LifecycleNames.OWN_GROUP})
  void aTransitionKeepsItsNodesButMayChangeTheRest(String group) {
    String name = "t-" + fixture.namespace;
    transition(group, name, "start: a, end: b, driver: d, allNodes: true, sla: 5m").output();

    CommandResult other = transition(group, name, "start: a, end: b, driver: d, nodeName: one");

    assertThat(other.exitCode()).isNotZero();
    transition(group, name, "start: c, end: e, driver: z, allNodes: true, sla: 1h30m").output();
    assertThat(
            fixture
                .kubectl(
                    "get",
                    "lifecycletransitions." + group,
                    "--field-selector=spec.driver=z",
                    "-o",
                    "name")
                .output())
        .contains(name);
    fixture.kubectl("delete", "lifecycletransitions." + group, name).output();
  }

  @ParameterizedTest
  @ValueSource(strings = {LifecycleNames.COMPAT_GROUP, LifecycleNames.OWN_GROUP})
  void anEventIsPendingFromTheStartAndKeepsWhatItIsFor(String group) {
    String node = "n-" + fixture.namespace;
    String event =
        """
        apiVersion: %s/v1alpha1
        kind: LifecycleEvent
        metadata: {name: %s}
        spec: {transitionName: %s, bindingNode: %s}
        status: {claimStatus: Succeeded}
        """;
    fixture.apply(event.formatted(group, "e-" + fixture.namespace, "t", node));

    CommandResult moved =
        fixture
            .cluster()
            .kubectl(
                event.formatted(group, "e-" + fixture.namespace, "t", "elsewhere"),
                "apply",
                "--server-side",
                "-f",
                "-");

    assertThat(moved.standardError()).contains("spec.bindingNode cannot be changed");
    String listed =
        fixture
            .kubectl("get", "lifecycleevents." + group, "--field-selector=spec.bindingNode=" + node)
            .output();
    assertThat(listed).contains("NODE", "TRANSITION", "STATUS", "MESSAGE", node, "Pending");
    fixture.kubectl("delete", "lifecycleevents." + group, "e-" + fixture.namespace).output();
  }

  /** Manifests that exist name no group when they list. */
  @Test
  void kubectlMeansTheGroupOfExistingManifests() {
    fixture.event("e-" + fixture.namespace, "t", "n-" + fixture.namespace);

    assertThat(fixture.kubectl("get", "lifecycleevents").output())
        .contains("e-" + fixture.namespace);

    fixture.kubectl("delete", "lifecycleevents", "e-" + fixture.namespace).output();
  }
}
