package dev.drydock.health.customdrain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.health.customdrain.decide.CustomDrainTask;
import dev.drydock.health.resource.RenderedResource;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import dev.drydock.health.template.HealthEventRecord;
import dev.drydock.health.template.TemplateMap;
import dev.drydock.kube.LabelValue;
import dev.drydock.kube.ObjectName;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the resource by which another controller drains a node. */
final class DrainResourceTemplate {
  private DrainResourceTemplate() {}

  /**
   * What a resource is made of.
   *
   * @param span of this process in the event's trace; empty if there is none
   */
  record Input(
      CustomDrainTask task, HealthEvent event, String span, Map<String, List<String>> pods) {}

  /**
   * The resource.
   *
   * @param schema of its kind, as in OpenAPI
   * @throws ResourceTemplateInvalid if there can be none
   */
  static ObjectNode render(CustomDrainConfig config, Input input, JsonNode schema) {
    CustomDrainTask task = input.task();
    RenderedResource resource =
        config
            .template()
            .render(data(input), schema)
            .kind(config.apiVersion(), config.kind())
            .named(name(task))
            .namespace(config.namespace())
            .label(DrainRequest.NODE_LABEL, LabelValue.of(task.node()))
            .annotation(DrainRequest.DRAINER_ANNOTATION, config.drainer())
            .annotation(CustomDrainNames.NODE, task.node())
            .annotation(CustomDrainNames.EVENT, task.event())
            .annotation(CustomDrainNames.EPISODE, task.episode())
            .traced(input.event().metadata().getOrDefault(HealthNames.TRACE_ID, ""), input.span());
    if (!task.scope().isEmpty()) {
      resource.annotation(CustomDrainNames.DEVICE, task.scope());
    }
    return resource.body();
  }

  private static Map<String, Object> data(Input input) {
    return Map.of(
        "HealthEvent",
        HealthEventRecord.of(input.event()),
        "EventID",
        input.task().event(),
        "PodsToDrain",
        new TemplateMap(input.pods(), List.of()));
  }

  static String name(CustomDrainTask task) {
    String event = task.event().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String name = "drain-%s-%s".formatted(task.node(), event);
    return ObjectName.of(name.replaceAll("-+$", ""));
  }
}
