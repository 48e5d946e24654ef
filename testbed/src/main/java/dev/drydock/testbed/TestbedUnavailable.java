package dev.drydock.testbed;

/** This machine lacks what a real control plane needs; the message says how to get it. */
public final class TestbedUnavailable extends TestbedException {
  private static final long serialVersionUID = 1L;

  public TestbedUnavailable(String message) {
    super(message);
  }
}
