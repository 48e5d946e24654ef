package dev.drydock.edge.decide;

/**
 * A replica of a storage volume.
 *
 * @param node where it is
 * @param healthy whether it has all data and can serve it
 * @param progress of its rebuild in percent; negative if it is not being rebuilt
 */
public record VolumeReplica(
    String name, String volume, String node, boolean healthy, int progress) {
  VolumeReplica unhealthy() {
    return new VolumeReplica(name, volume, node, false, progress);
  }

  public boolean isRebuilding() {
    return progress >= 0;
  }
}
