package dev.drydock.serve.tls;

import dev.drydock.kube.Resource;

/** An object that lists the webhooks that API servers call. */
public record WebhookConfiguration(Resource resource, String name) {
  private static final Resource VALIDATING =
      resource("validatingwebhookconfigurations", "ValidatingWebhookConfiguration");
  private static final Resource MUTATING =
      resource("mutatingwebhookconfigurations", "MutatingWebhookConfiguration");

  private static Resource resource(String plural, String kind) {
    return Resource.cluster("admissionregistration.k8s.io", "v1", plural, kind);
  }

  public static WebhookConfiguration validating(String name) {
    return new WebhookConfiguration(VALIDATING, name);
  }

  public static WebhookConfiguration mutating(String name) {
    return new WebhookConfiguration(MUTATING, name);
  }

  @Override
  public String toString() {
    return resource.kind() + " " + name;
  }
}
