package dev.drydock.testbed;

/**
 * The addresses of a cluster's Services, from the range that is reserved for future use
 * (240.0.0.0/4) and that no network uses. The port of the API server is part of them, so that no
 * two clusters on one machine have the same ones.
 *
 * <p>Nothing implements Services in general. A node with a real kubelet forwards the first address,
 * that of the Service {@code kubernetes}, to the API server.
 */
public record ServiceNetwork(int apiServerPort) {
  /** The port of the Service {@code kubernetes}. */
  public static final int API_PORT = 443;

  private static final int RANGE = 0xf0000000;
  private static final int BITS_PER_CLUSTER = 12;

  public String subnet() {
    return address(0) + "/" + (Integer.SIZE - BITS_PER_CLUSTER);
  }

  /** The address of the Service {@code kubernetes}: the first of the range, as in every cluster. */
  public String apiAddress() {
    return address(1);
  }

  private String address(int host) {
    int all = RANGE | (apiServerPort << BITS_PER_CLUSTER) | host;
    return "%d.%d.%d.%d".formatted(all >>> 24, (all >>> 16) & 0xff, (all >>> 8) & 0xff, all & 0xff);
  }
}
