package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;

/** Builds Status answers. */
public final class Status {
  private Status() {}

  public static ObjectNode success(int code) {
    return of("Success", code);
  }

  static ObjectNode of(String outcome, int code) {
    ObjectNode status = JsonTrees.object().put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    return status.put("status", outcome).put("code", code);
  }
}
