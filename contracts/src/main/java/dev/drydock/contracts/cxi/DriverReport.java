package dev.drydock.contracts.cxi;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node's driver agent says about its driver, in the annotation {@link
 * CxiNames#DRIVER_REPORT}.
 *
 * @param revision of the driver that is installed and verified by its content
 * @param wanted the revision that the agent works on, if it is another one
 * @param maintenance the UID of the NotifyMaintenance that it acts for; absent for the first
 *     install on a node
 * @param modules that are loaded
 * @param step at which it failed
 * @param log the last lines of the step that failed
 * @param at when the state was reached, in RFC 3339 format
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DriverReport(
    State state,
    @Nullable String revision,
    @Nullable String version,
    @Nullable String wanted,
    @Nullable String maintenance,
    @Nullable List<String> modules,
    @Nullable String step,
    @Nullable String error,
    @Nullable List<String> log,
    @Nullable String at) {

  /** How far the agent is. */
  public enum State {
    /** The installed driver is verified and loaded. */
    Installed,
    /** It downloads, builds or loads a driver. */
    Installing,
    /** The driver could not be installed; within a maintenance the agent does not try again. */
    Failed,
    /** Modules are in use: the new driver is loaded by the next boot. */
    RebootRequired,
    /** It goes back to the previous driver. */
    RollingBack,
    /** The previous driver is installed, verified and loaded again. */
    RolledBack,
    /** The previous driver could not be installed either. */
    RollbackFailed
  }
}
