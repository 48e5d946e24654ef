package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Finds the pods of a node without looking at others. */
@FunctionalInterface
public interface PodsByNode {
  /** In the order of their names; to be asked inside a write of the store. */
  List<ObjectNode> on(String node);
}
