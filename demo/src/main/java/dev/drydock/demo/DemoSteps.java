package dev.drydock.demo;

import dev.drydock.demo.Shell.Run;
import dev.drydock.sim.DemoCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The steps of the demo, each with the expected state at its end. */
final class DemoSteps implements AutoCloseable {
  private static final String PLANNED = "gpu-b-1";
  private static final String DRAINED = "cpu-a-1";
  private static final String HARDWARE = "team/hardware";
  static final String SUCCESS = "exit code 0";
  private static final String OS_UPDATE = "os-update";

  private final DemoPresenter presenter;
  private final DemoClusterView view;
  private final Shell shell;
  private final Checks checks;
  private final CrashDemoSteps crash;
  private final CampaignDemoSteps campaign;
  private final FaultDemoSteps fault;

  DemoSteps(DemoPresenter presenter, DemoClusterView view, Shell shell, Checks checks) {
    this.presenter = presenter;
    this.view = view;
    this.shell = shell;
    this.checks = checks;
    this.crash = new CrashDemoSteps(presenter, view, shell, checks);
    this.campaign = new CampaignDemoSteps(presenter, view, shell, checks);
    this.fault = new FaultDemoSteps(presenter, view, shell, checks);
  }

  void play() {
    meetTheFleet();
    presenter.pause("a plan");
    plan();
    presenter.pause("a drain that a budget holds up");
    drainHeldUpByABudget();
    presenter.pause("a second reason on the same node");
    twoReasons();
    presenter.pause("an operator that crashes");
    crash.play(PLANNED);
    presenter.pause("back in service");
    backInService();
    presenter.pause("a campaign");
    campaign.play();
    presenter.pause("a GPU that fails");
    fault.play();
    checkThatAllIsWell();
  }

  /** Six nodes with GPUs and six without, in three zones. */
  static void populate(DemoCluster cluster, DemoClusterView view) {
    for (String zone : List.of("a", "b", "c")) {
      NodeTemplate node = NodeTemplate.DEFAULT.withLabel(DemoClusterView.ZONE, "zone-" + zone);
      var _ = cluster.addNodes(2, "cpu-" + zone + "-", node.withLabel(DemoClusterView.POOL, "cpu"));
      var _ =
          cluster.addNodes(
              2,
              "gpu-" + zone + "-",
              node.withLabel(DemoClusterView.POOL, "gpu").withCapacity(DemoClusterView.GPU, "8"));
    }
    create(view, "workloads.yaml");
  }

  /** Creates the objects in a file of the demo. */
  static void create(DemoClusterView view, String file) {
    try (InputStream objects = DemoSteps.class.getResourceAsStream(file)) {
      for (HasMetadata object : view.client().load(Objects.requireNonNull(objects)).items()) {
        var _ = view.client().resource(object).create();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void meetTheFleet() {
    presenter.heading("1. The fleet");
    presenter.say(
        """
        Twelve nodes in three zones, six of them with eight GPUs each. A web shop, a batch Job, Slurm workers on
        the GPUs, and an exporter on every node. Two budgets: shop/web wants all six of its pods ready, and
        slurm/slurmd lets one of its twelve workers be away at a time.""");
    checks.check("12 nodes are ready", "12", () -> "" + view.nodesReady());
    checks.check(
        "they are in 3 zones",
        "3",
        () ->
            ""
                + view.nodes().stream()
                    .map(node -> node.getMetadata().getLabels().get(DemoClusterView.ZONE))
                    .distinct()
                    .count());
    checkReady("web", 6);
    checkReady("slurmd", 12);
    checkReady("render", 6);
    checkReady("exporter", 12);
    checks.check("budget shop/web has no room", "0", () -> allowed("shop", "web"));
    checks.check("budget slurm/slurmd has room for one", "1", () -> allowed("slurm", "slurmd"));
    view.watchBudgets();
    presenter.show(view);
  }

  private String allowed(String namespace, String budget) {
    return "" + view.disruptionsAllowed(namespace, budget);
  }

  private void checkReady(String app, int count) {
    checks.check(count + " pods of " + app + " are ready", "" + count, () -> "" + view.ready(app));
  }

  private void plan() {
    presenter.heading("2. A plan");
    presenter.say("What would a drain of " + PLANNED + " do? Asking touches nothing.");
    Set<String> before = view.uidsOn(PLANNED, "slurmd");
    Run plan = shell.run("plan", PLANNED, "--ignore-daemonsets");
    checks.check("the plan says that it can be done", SUCCESS, () -> exitCode(plan));
    checks.checkSaid("the plan names the budget", plan, "slurm/slurmd");
    checkIn(PLANNED + " is in service as before", PLANNED);
    checks.check("the same pods run on it", "" + before, () -> "" + view.uidsOn(PLANNED, "slurmd"));
  }

  private void drainHeldUpByABudget() {
    presenter.heading("3. A drain that a budget holds up");
    presenter.say(
        """
        %s needs a new disk. One of the six web pods runs there, and the budget wants six: nothing may go. The
        drain says so, and waits for the budget to open rather than asking again and again."""
            .formatted(DRAINED));
    Set<String> web = view.podsOn(DRAINED, "web");
    checks.check("a web pod runs on " + DRAINED, "1", () -> "" + web.size());
    Run drain =
        shell.start(
            "drain", DRAINED, "--ignore-daemonsets", "--holder", HARDWARE, "--reason", "new disk");
    checks.checkSaid(
        "the drain names the pod and the budget that hold it up",
        drain,
        "waits:",
        "budget shop/web",
        web.iterator().next());
    checks.check("the web pod still runs there", "" + web, () -> "" + view.podsOn(DRAINED, "web"));
    checkOut("the node is out of service", DRAINED);
    giveRoom(drain);
    checks.check("the drain succeeds", SUCCESS, () -> exitCodeSoFar(drain));
    checks.check(
        "nothing but the exporter is left on " + DRAINED, "exporter", () -> view.appsOn(DRAINED));
    checks.check(HARDWARE + " holds the node", HARDWARE, () -> view.holders(DRAINED));
    checks.checkAtLeast("six web pods are ready elsewhere", 6, () -> (int) view.ready("web"));
    presenter.show(view);
  }

  /** The viewer may do this too, with kubectl. */
  private void giveRoom(Run drain) {
    BooleanSupplier given = () -> drain.end().isDone() || view.replicas("shop", "web") > 6;
    presenter.pause("give the budget room", given);
    if (given.getAsBoolean()) {
      presenter.say("You have given the budget room yourself: the drain continues at once.");
      return;
    }
    presenter.say(
        "A seventh web pod gives the budget room as soon as it is ready; the drain continues at once.");
    scaleWeb(7);
  }

  private void checkIn(String what, String node) {
    checks.check(what, DemoClusterView.IN_SERVICE, () -> view.service(node));
  }

  private void checkOut(String what, String node) {
    checks.check(what, "out", () -> view.service(node));
  }

  static String exitCode(Run run) {
    return "exit code " + run.exitCode();
  }

  static String exitCodeSoFar(Run run) {
    return run.end().isDone() ? exitCode(run) : "no exit code yet";
  }

  private void scaleWeb(int replicas) {
    shell.show("kubectl", "scale", "deployment", "-n", "shop", "web", "--replicas=" + replicas);
    var _ =
        view.client()
            .apps()
            .deployments()
            .inNamespace("shop")
            .withName("web")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
  }

  private void twoReasons() {
    presenter.heading("4. Two reasons on one node");
    presenter.say(
        "While the disk is being changed, the OS update wants the same node out. Each has a hold of its own.");
    Run second =
        shell.run(
            "cordon", DRAINED, "--holder", OS_UPDATE, "--reason", "kernel with a security fix");
    checks.check("the second hold is placed", SUCCESS, () -> exitCode(second));
    Run holds = shell.run("holds");
    checks.checkSaid("drydock holds shows the first and why", holds, HARDWARE, "new disk");
    checks.checkSaid("drydock holds shows the second and why", holds, OS_UPDATE, "security fix");
    checks.check("both hold the node", OS_UPDATE + ", " + HARDWARE, () -> view.holders(DRAINED));
    presenter.pause("the first one is done");
    presenter.say(
        "The disk is in. Its owner releases the node, and may do so only for itself: it stays out.");
    var _ = shell.run("uncordon", DRAINED, "--holder", HARDWARE);
    checks.check(OS_UPDATE + " still holds it", OS_UPDATE, () -> view.holders(DRAINED));
    checkOut("the node stays out of service", DRAINED);
    presenter.pause("the last one is done");
    presenter.say("The last one to go makes the node schedulable.");
    var _ = shell.run("uncordon", DRAINED, "--holder", OS_UPDATE);
    checks.check("nobody holds it", "", () -> view.holders(DRAINED));
    checkIn("the node is back in service", DRAINED);
  }

  private void backInService() {
    presenter.heading("6. Back in service");
    presenter.say(
        "Deleting the request releases its hold, which the operator sees to. It was the last one.");
    crash.deleteRequest();
    checks.check("the request is gone", "no request", crash::requestReason);
    checkIn(PLANNED + " is back in service", PLANNED);
    Run holds = shell.run("holds");
    checks.checkSaid("no node is held", holds, "No node is held");
    presenter.show(view);
  }

  private void checkThatAllIsWell() {
    checks.check("12 nodes are ready", "12", () -> "" + view.nodesReady());
    checkReady("web", view.replicas("shop", "web"));
    checkReady("slurmd", 12);
    checkReady("render", 6);
    checkReady("exporter", 12);
    checks.check(
        "no budget was broken at any moment of the demo", "[]", () -> "" + view.brokenBudgets());
    presenter.show(view);
  }

  @Override
  public void close() {
    fault.close();
    crash.close();
  }
}
