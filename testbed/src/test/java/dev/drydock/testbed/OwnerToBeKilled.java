package dev.drydock.testbed;

/** A program that starts a control plane, prints its folder and waits to be killed. */
final class OwnerToBeKilled {
  private OwnerToBeKilled() {}

  public static void main(String[] arguments) throws InterruptedException {
    ControlPlane controlPlane = ControlPlane.start();
    System.out.println(controlPlane.directory());
    System.out.flush();
    Thread.currentThread().join();
    controlPlane.close();
  }
}
