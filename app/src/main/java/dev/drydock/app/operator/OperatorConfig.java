package dev.drydock.app.operator;

import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.notify.ChannelSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the operator works, valid as a whole. {@link ConfigKey} says what each setting means. */
public record OperatorConfig(
    Duration slaPeriod,
    Uncordon uncordonDuringMaintenance,
    boolean leaderElect,
    Duration syncPeriod,
    List<BudgetLevel> budgets,
    Lifecycle lifecycle,
    Optional<Path> certDir,
    Notifications notifications,
    Metrics metrics,
    Health health,
    Webhook webhook) {

  /** What an uncordon by hand does to the maintenances of a node. */
  public enum Uncordon {
    COMPLETE,
    RECORDON
  }

  public record Lifecycle(Duration unclaimedAfter) {}

  public record Notifications(List<ChannelSettings> channels, Duration retention) {}

  public record Metrics(int port, boolean tls, boolean perObject) {}

  public record Health(InetSocketAddress bindAddress) {}

  public record Webhook(boolean enabled, int port, String certSecret) {}
}
