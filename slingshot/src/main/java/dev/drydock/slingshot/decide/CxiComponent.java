package dev.drydock.slingshot.decide;

import java.util.Locale;

/** What runs on the nodes, in the order in which it is set up. */
public enum CxiComponent {
  DRIVER_AGENT("DriverAgent"),
  DEVICE_PLUGIN("DevicePlugin"),
  RETRY_HANDLER("RetryHandler"),
  METRICS_EXPORTER("MetricsExporter");

  private final String words;

  CxiComponent(String words) {
    this.words = words;
  }

  /** As in labels and names of objects. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String objectName(String driver) {
    return driver + "-" + text();
  }

  /** The type of the condition that says whether it is ready. */
  public String condition() {
    return words + "Ready";
  }

  /** The reason of the condition Degraded if it cannot be set up. */
  public String failure() {
    return words + "Failed";
  }
}
