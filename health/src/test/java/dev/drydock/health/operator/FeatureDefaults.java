package dev.drydock.health.operator;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HoldOwner;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingProblems;
import dev.drydock.serve.feature.Settings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What an operator hands to features that have their default settings. */
public final class FeatureDefaults {
  private FeatureDefaults() {}

  /**
   * A context.
   *
   * @param other settings that do not have their default
   */
  public static OperatorContext context(
      Kube kube,
      KubernetesClient client,
      String namespace,
      List<Feature> features,
      Map<Setting<?>, Object> other) {
    Map<Setting<?>, Object> values = new HashMap<>();
    features.stream()
        .flatMap(feature -> feature.settings().stream())
        .forEach(setting -> values.put(setting, value(setting)));
    values.putAll(other);
    List<HoldOwner> owners =
        features.stream().flatMap(feature -> feature.holdOwners().stream()).toList();
    return new OperatorContext(
        kube,
        client,
        namespace,
        "test",
        new Settings(values),
        new SimpleMeterRegistry(),
        owners,
        () -> true);
  }

  private static <T> T value(Setting<T> setting) {
    return setting
        .kind()
        .reader()
        .apply(
            setting.kind().isList() ? Json.array() : new TextNode(setting.defaultText()),
            new SettingProblems(
                (_, what) -> {
                  throw new AssertionError(setting + ": " + what);
                }));
  }
}
