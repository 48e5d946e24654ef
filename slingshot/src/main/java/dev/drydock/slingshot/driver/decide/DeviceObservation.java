package dev.drydock.slingshot.driver.decide;

import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.HandlerAbsence;
import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import dev.drydock.slingshot.node.decide.RetryStatistics;
import java.util.Optional;

/**
 * What an agent sees of one NIC.
 *
 * @param handlerExpected whether one has to run for every NIC
 * @param absence why none runs, if the retry handlers' supervisor said so
 * @param quarantine why nobody may use the NIC, if so
 */
public record DeviceObservation(
    CxiNic nic,
    Optional<RetryHandlerProcess> handler,
    Optional<RetryStatistics> statistics,
    boolean handlerExpected,
    Optional<HandlerAbsence> absence,
    Optional<String> quarantine,
    DriverObservation driver) {

  /**
   * What is known about the driver.
   *
   * @param installed the version that the agent installed and verified
   * @param declared the version that the module declares
   * @param checksum of the core module's file that is in place
   * @param wanted the version that should run
   * @param ready whether the driver is as it should be
   * @param reason of the condition that says so
   * @param message for people
   */
  public record DriverObservation(
      Optional<String> installed,
      Optional<String> declared,
      Optional<String> checksum,
      String wanted,
      boolean ready,
      String reason,
      String message) {}
}
