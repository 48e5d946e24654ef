package dev.drydock.slingshot.driver.decide;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What would be cut off if the driver's modules were unloaded.
 *
 * @param processes that have a device open and are no retry handlers
 * @param pods that a device is allocated to, as {@code NAMESPACE/NAME}
 * @param unknown why it is not known who has devices; empty if it is
 * @param handlers the process IDs of retry handlers
 * @param modules of others that need the driver's
 */
public record ModuleUsers(
    List<DeviceProcess> processes,
    List<String> pods,
    String unknown,
    List<Long> handlers,
    List<String> modules) {
  public static final ModuleUsers NONE =
      new ModuleUsers(List.of(), List.of(), "", List.of(), List.of());

  private static final int NAMED = 5;

  /**
   * A process with an open device.
   *
   * @param device e.g. {@code cxi0}
   * @param pod {@code NAMESPACE/NAME}, or its UID if the name is not known; empty if it is none's
   */
  public record DeviceProcess(long pid, String command, String device, String pod) {
    @Override
    public String toString() {
      return pod.isEmpty()
          ? "process %d (%s) has /dev/%s open".formatted(pid, command, device)
          : "pod %s has /dev/%s open (process %d, %s)".formatted(pod, device, pid, command);
    }
  }

  /** Who is in the way, apart from retry handlers, which can be stopped; empty if nobody is. */
  public String inTheWay() {
    List<String> named =
        Stream.of(
                processes.stream().map(DeviceProcess::toString),
                pods.stream()
                    .filter(pod -> processes.stream().noneMatch(each -> each.pod().equals(pod)))
                    .map(pod -> "pod %s has a device".formatted(pod)),
                Stream.of(unknown).filter(text -> !text.isEmpty()),
                modules.stream().map(module -> "module %s needs the driver".formatted(module)))
            .flatMap(each -> each)
            .toList();
    String shown = named.stream().limit(NAMED).collect(Collectors.joining(", "));
    return named.size() > NAMED ? shown + " and " + (named.size() - NAMED) + " more" : shown;
  }
}
