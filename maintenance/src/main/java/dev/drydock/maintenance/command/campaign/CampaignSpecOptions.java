package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Approval;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Batches;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Canary;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.NodeSelector;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Requirement;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.Window;
import dev.drydock.maintenance.command.ClassNameCandidates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The flags for a campaign's spec. */
@Command(addMethodSubcommands = false)
public final class CampaignSpecOptions {
  private static final Pattern SHARE = Pattern.compile("(\\d{1,9})(%?)");
  private static final Pattern WINDOW = Pattern.compile("(.+) for (\\S+)(?: in (\\S+))?");
  private static final Pattern BATCHES =
      Pattern.compile("(\\d{1,9})(?:x(\\d{1,3}(?:\\.\\d{1,3})?))?(?:\\.\\.(\\d{1,9}))?");

  /** Spelled as in the spec. */
  enum Order {
    soonest,
    zone,
    name,
    age
  }

  @Option(
      names = "--class",
      paramLabel = "NAME",
      completionCandidates = ClassNameCandidates.class,
      description = "The MaintenanceClass that defines the steps.")
  private @Nullable String maintenanceClass;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      description = "The nodes, e.g. gpu=h100,zone in (a,b). Required, unless --all is given.")
  private @Nullable String selector;

  @Option(names = "--all", description = "All nodes of the cluster, instead of a selector.")
  private boolean all;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The ID of the maintenances. Default: the campaign's name.")
  private @Nullable String id;

  @Option(
      names = "--budget",
      paramLabel = "[LABEL=]AMOUNT",
      description =
          "How many nodes may be out of service at once, as a number or percentage: of all nodes, or of those that"
              + " share a value of the label. Can be given several times; all must allow it."
              + " Default: 1, unless the class has budgets.")
  private List<String> budgets = new ArrayList<>();

  @Option(
      names = "--window",
      paramLabel = "'CRON for TIME [in ZONE]'",
      description =
          "When nodes may leave, e.g. '0 22 * * 1-5 for 7h in Europe/Berlin'. Can be given several times.")
  private List<String> windows = new ArrayList<>();

  @Option(
      names = "--canary",
      paramLabel = "N|N%",
      description = "This many nodes go first; if one fails, the campaign halts.")
  private @Nullable String canary;

  @Option(
      names = "--canary-soak",
      paramLabel = "TIME",
      description = "How long to wait after the canary nodes have returned, e.g. 1h.")
  private @Nullable Duration canarySoak;

  @Option(
      names = "--batches",
      paramLabel = "START[xGROWTH][..MAX]",
      description = "Nodes leave in growing batches, e.g. 2x2..32.")
  private @Nullable String batches;

  @Option(
      names = "--stop-on-failures",
      paramLabel = "N",
      description = "After this many failed nodes no further node leaves. Default: 1.")
  private @Nullable Integer stopOnFailures;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "The order of nodes: ${COMPLETION-CANDIDATES}. Default: soonest.")
  private @Nullable Order order;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description =
          "Of campaigns that share nodes or budgets, the one with the higher priority goes first. Default: 0.")
  private @Nullable Integer priority;

  @Option(names = "--approval", description = "A person has to approve it before a node leaves.")
  private boolean approval;

  @Option(names = "--paused", description = "No node leaves until it is resumed.")
  private boolean paused;

  /** The selector as typed; empty for all nodes. */
  String selectorText() {
    return selector == null ? "" : selector;
  }

  boolean isGiven() {
    return maintenanceClass != null;
  }

  /**
   * The spec from the flags.
   *
   * @param namespace of the maintenances
   */
  MaintenanceCampaignSpec spec(String namespace) {
    if (maintenanceClass == null) {
      throw CommandFailure.usage(
          "--class is missing: which MaintenanceClass? see: kubectl get maintenanceclasses");
    }
    return new MaintenanceCampaignSpec(
        selector(),
        maintenanceClass,
        id,
        namespace,
        budgets.isEmpty() ? null : budgets.stream().map(CampaignSpecOptions::budget).toList(),
        windows.isEmpty() ? null : windows.stream().map(CampaignSpecOptions::window).toList(),
        null,
        approval ? new Approval(true) : null,
        canary(),
        batches(),
        stopOnFailures,
        paused ? true : null,
        null,
        null,
        priority,
        order == null ? null : CampaignOrder.valueOf(order.name().toUpperCase(Locale.ROOT)),
        null);
  }

  private NodeSelector selector() {
    if (all == (selector != null)) {
      throw CommandFailure.usage(
          all
              ? "--all and --selector exclude each other"
              : "which nodes? Give --selector, e.g. -l gpu=h100, or --all for every node");
    }
    if (selector == null) {
      return new NodeSelector(null, null);
    }
    try {
      return new NodeSelector(
          null,
          LabelSelector.parse(selector).requirements().stream()
              .map(each -> new Requirement(each.key(), operator(each), List.copyOf(each.values())))
              .toList());
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--selector: " + wrong.getMessage());
    }
  }

  private static String operator(LabelSelector.Requirement demand) {
    if (demand.operator().comparesNumbers()) {
      throw new IllegalArgumentException(
          "\"%s\" compares numbers, which a campaign's selector cannot".formatted(demand));
    }
    return demand.operator().apiName();
  }

  private static DomainBudget budget(String text) {
    int equals = text.lastIndexOf('=');
    String key = equals < 0 ? null : text.substring(0, equals);
    return new DomainBudget(key, text.substring(equals + 1));
  }

  private static Window window(String text) {
    Matcher parts = WINDOW.matcher(text);
    if (!parts.matches()) {
      throw CommandFailure.usage(
          "--window: \"%s\" should be like '0 22 * * 1-5 for 7h in Europe/Berlin'".formatted(text));
    }
    return new Window(parts.group(1), parts.group(2), parts.group(3));
  }

  private @Nullable Canary canary() {
    if (canary == null) {
      if (canarySoak != null) {
        throw CommandFailure.usage("--canary-soak needs --canary, e.g. --canary 2");
      }
      return null;
    }
    Matcher share = SHARE.matcher(canary);
    if (!share.matches()) {
      throw CommandFailure.usage("--canary: \"%s\" should be like 2 or 5%%".formatted(canary));
    }
    int amount = Integer.parseInt(share.group(1));
    boolean percent = !share.group(2).isEmpty();
    Integer soak = canarySoak == null ? null : Math.toIntExact(canarySoak.toSeconds());
    return new Canary(percent ? null : amount, percent ? amount : null, soak);
  }

  private @Nullable Batches batches() {
    if (batches == null) {
      return null;
    }
    Matcher parts = BATCHES.matcher(batches);
    if (!parts.matches()) {
      throw CommandFailure.usage(
          "--batches: \"%s\" should be like 2, 2x2 or 2x1.5..32".formatted(batches));
    }
    return new Batches(
        Integer.valueOf(parts.group(1)),
        parts.group(2) == null ? null : Double.valueOf(parts.group(2)),
        parts.group(3) == null ? null : Integer.valueOf(parts.group(3)));
  }
}
