package dev.drydock.drain.engine.decide;

import java.util.Set;

/**
 * The devices that a pod has, as its annotation says.
 *
 * @param known whether the annotation can be read
 */
public record PodDevices(boolean known, Set<String> ids) {
  public PodDevices {
    ids = Set.copyOf(ids);
  }
}
