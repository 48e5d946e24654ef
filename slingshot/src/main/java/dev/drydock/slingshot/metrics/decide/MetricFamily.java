package dev.drydock.slingshot.metrics.decide;

import java.util.Locale;

/** The metrics of a node; their names are the original exporter's. */
public enum MetricFamily {
  CXI_DEVICE_COUNT("CXI devices on the node."),
  CXI_DEVICE_LINK_STATE("State of the link: 1 up, 0 down, -1 unknown."),
  CXI_DEVICE_NUMA_NODE("NUMA node of the device; -1 if unknown."),
  CXI_DEVICE_HEALTH_STATUS(
      "1 if the link is up and the retry handler runs, where there should be one; otherwise 0."),
  CXI_RETRY_HANDLER_RUNNING("1 if a retry handler runs for the device, otherwise 0."),
  CXI_RETRY_HANDLER_RESTARTS_TOTAL(
      "Restarts of the device's retry handler since the exporter has started."),
  CXI_RETRY_TOTAL("Packets that the device's retry handler had sent again."),
  CXI_RETRY_NACK_TOTAL("Of these, those that were refused by their receiver."),
  CXI_RETRY_TIMEOUT_TOTAL("Of these, those that were not answered in time."),
  CXI_DRIVER_LOADED("1 if the kernel module is loaded, otherwise 0."),
  CXI_SCRAPE_ERRORS_TOTAL("How often the node's devices or their retry handlers were unreadable."),
  CXI_LAST_SCRAPE_TIMESTAMP_SECONDS("When all of this was last read without an error.");

  private final String help;

  MetricFamily(String help) {
    this.help = help;
  }

  /** The name in queries. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String help() {
    return help;
  }

  /** Whether its values only grow. */
  public boolean counts() {
    return name().endsWith("_TOTAL");
  }
}
