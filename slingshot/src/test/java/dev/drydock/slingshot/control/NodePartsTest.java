package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Json;
import org.junit.jupiter.api.Test;

class NodePartsTest {
  @Test
  void ofLongTextsOfADeviceOnlyTheBeginningIsKept() {
    ObjectNode device = Json.object();
    device.putObject("metadata").put("name", "n-cxi0").put("uid", "u");
    ObjectNode status = device.putObject("status");
    status.putObject("health").put("status", "Unhealthy").put("message", "h".repeat(30_000));
    status
        .putArray("conditions")
        .addObject()
        .put("type", "RetryHandlerCrashed")
        .put("status", "True")
        .put("message", "c".repeat(30_000));

    NodeParts.DeviceFacts facts = NodeParts.device(device).facts();

    assertThat(facts.state().toString()).contains("hhh...").hasSizeLessThan(1000);
    assertThat(facts.crashed().orElseThrow()).endsWith("ccc...").hasSizeLessThan(1000);
  }
}
