package dev.drydock.demo;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.demo.Shell.Run;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Maintains two nodes of a zone one after another, as a budget demands. */
final class CampaignDemoSteps {
  private static final String NAME = "firmware-17";
  private static final String CLASS_FILE = "firmware-class.yaml";
  private static final String FIRST = "gpu-b-1";
  private static final List<String> NODES = List.of(FIRST, "gpu-b-2");

  private final DemoPresenter presenter;
  private final DemoClusterView view;
  private final Shell shell;
  private final Checks checks;

  CampaignDemoSteps(DemoPresenter presenter, DemoClusterView view, Shell shell, Checks checks) {
    this.presenter = presenter;
    this.view = view;
    this.shell = shell;
    this.checks = checks;
  }

  void play() {
    presenter.heading("7. A campaign");
    presenter.say(
        """
        The GPUs of zone-b are to get new firmware. A class says how: the operator drains the node, runs a Job on
        it, and then another one that proves it fit. Of each zone only one node may be out at a time.""");
    shell.show("kubectl", "create", "-f", CLASS_FILE);
    DemoSteps.create(view, CLASS_FILE);
    plan();
    presenter.pause("the campaign begins");
    presenter.say("The plan is good. From here on the operator does it all.");
    Departures departures = view.watchCampaigns();
    Run created = campaign("create");
    checks.check("the campaign is created", DemoSteps.SUCCESS, () -> DemoSteps.exitCode(created));
    checks.checkAtLeast("the first node is done", 1, () -> counts().done());
    checks.check("the campaign is complete", "Completed", this::phase);
    lookBack(departures);
  }

  private void plan() {
    Run plan = campaign("plan", "--work-time", "1s");
    checks.check(
        "the plan says that it can be done", DemoSteps.SUCCESS, () -> DemoSteps.exitCode(plan));
    checks.checkSaid(
        "the plan has one node of the zone out at a time",
        plan,
        DemoClusterView.ZONE + "=zone-b 1 of 1");
    checkInService("both nodes are in service as before");
  }

  private Run campaign(String verb, String... more) {
    Stream<String> words =
        Stream.of(
            "campaign",
            verb,
            NAME,
            "-n",
            CrashDemoSteps.NAMESPACE,
            "--class",
            "gpu-firmware",
            "-l",
            DemoClusterView.POOL + "=gpu," + DemoClusterView.ZONE + "=zone-b",
            "--budget",
            DemoClusterView.ZONE + "=1");
    return shell.run(Stream.concat(words, Stream.of(more)).toArray(String[]::new));
  }

  private void lookBack(Departures departures) {
    Run status = shell.run("campaign", "status", NAME);
    checks.checkSaid(
        "drydock campaign status reports it", status, NAME, "Completed", "2 of 2 nodes done");
    checks.check(
        "its status counts both nodes as done",
        "" + new Counts(2, 0, 0, 2, 0),
        () -> "" + counts());
    checks.check("both nodes were out, and no other", "" + NODES, () -> "" + departures.ever());
    checks.check(
        "at no moment was more than one node of a zone out",
        "{zone-a=0, zone-b=1, zone-c=0}",
        () -> "" + departures.mostAtOnce());
    checkInService("both nodes are back in service, held by nobody");
    presenter.pause("the history of a node");
    presenter.say("The cluster remembers what happened to " + FIRST + ", from the driver on.");
    Run history = shell.run("history", FIRST);
    checks.checkSaid("its history includes the driver", history, "HoldReleased", "driver 580");
    checks.checkSaid("its history includes the firmware", history, NAME, "MaintenanceComplete");
  }

  private void checkInService(String what) {
    checks.check(
        what,
        "in, in",
        () ->
            NODES.stream()
                .map(node -> (view.service(node) + " " + view.holders(node)).strip())
                .collect(Collectors.joining(", ")));
  }

  private String phase() {
    return view.campaign(NAME).map(status -> "" + status.phase()).orElse("no status");
  }

  private Counts counts() {
    return view.campaign(NAME)
        .map(MaintenanceCampaignStatus::counts)
        .orElse(new Counts(0, 0, 0, 0, 0));
  }
}
