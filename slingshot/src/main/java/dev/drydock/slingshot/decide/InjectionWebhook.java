package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CxiNames;
import java.util.List;
import java.util.Map;

/**
 * Has API servers ask about pods of namespaces that want sidecars. Pods are admitted without one
 * while no operator answers.
 *
 * @param service through which API servers reach the operator
 * @param authorities what they have to trust, in base64
 */
public record InjectionWebhook(String namespace, String service, String authorities) {
  public static final String PATH = "/mutate-v1-pod";
  static final String NAME = "sidecar-injector.slingshot.hpe.com";

  public static String objectName(String driver) {
    return driver + "-sidecar-injector";
  }

  public Map<String, Object> configuration(DriverIdentity driver) {
    Map<String, Object> webhook =
        Tree.of(
            "name",
            NAME,
            "admissionReviewVersions",
            List.of("v1"),
            "sideEffects",
            "None",
            "failurePolicy",
            "Ignore",
            "matchPolicy",
            "Equivalent",
            "timeoutSeconds",
            5,
            "namespaceSelector",
            Tree.of(
                "matchExpressions",
                List.of(
                    Tree.of(
                        "key",
                        CxiNames.INJECT_NAMESPACE,
                        "operator",
                        "In",
                        "values",
                        List.of("enabled", "true")))),
            "clientConfig",
            Tree.of(
                "service",
                Tree.of("namespace", namespace, "name", service, "path", PATH, "port", 443),
                "caBundle",
                authorities),
            "rules",
            List.of(
                Tree.of(
                    "apiGroups",
                    List.of(""),
                    "apiVersions",
                    List.of("v1"),
                    "resources",
                    List.of("pods"),
                    "operations",
                    List.of("CREATE"),
                    "scope",
                    "Namespaced")));
    return Tree.of(
        "apiVersion",
        "admissionregistration.k8s.io/v1",
        "kind",
        "MutatingWebhookConfiguration",
        "metadata",
        Tree.of(
            "name",
            objectName(driver.name()),
            "labels",
            Tree.of(CxiNames.MANAGED_BY, CxiNames.OPERATOR, CxiNames.INSTANCE, driver.name()),
            "annotations",
            Tree.of(CxiNames.HASH, Tree.hash(webhook)),
            "ownerReferences",
            driver.owner()),
        "webhooks",
        List.of(webhook));
  }
}
