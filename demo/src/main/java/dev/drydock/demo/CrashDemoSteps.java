package dev.drydock.demo;

import dev.drydock.app.operator.Operator;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.demo.Shell.Run;
import dev.drydock.kube.RequestInterceptor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/** An operator crashes during a drain, and another one continues. */
final class CrashDemoSteps implements AutoCloseable {
  static final String NAMESPACE = "ops";
  private static final String HOLDER = "driver";

  private final DemoPresenter presenter;
  private final DemoClusterView view;
  private final Shell shell;
  private final Checks checks;
  private final Evictions evictions = new Evictions();
  private final Deque<RunningOperator> operators = new ArrayDeque<>();
  private String request = "";

  /** With its own connection, as a separate process would have. */
  private record RunningOperator(Operator operator, KubernetesClient client) {
    /** Without the Lease, closing it writes nothing, as if it had been killed. */
    void end() {
      operator.close();
      client.close();
    }
  }

  CrashDemoSteps(DemoPresenter presenter, DemoClusterView view, Shell shell, Checks checks) {
    this.presenter = presenter;
    this.view = view;
    this.shell = shell;
    this.checks = checks;
  }

  void play(String node) {
    request = "drain-" + node + "-" + HOLDER;
    presenter.heading("5. An operator that crashes");
    presenter.say(
        """
        The operator drains nodes for DrainRequests. %s is to get a new driver; two Slurm workers
        run there, and their budget lets them go only one after the other."""
            .formatted(node));
    Set<String> workers = view.uidsOn(node, "slurmd");
    checks.check("two workers run on " + node, "2", () -> "" + workers.size());
    define();
    Run drain = crashInTheMiddle(node);
    presenter.pause("another operator");
    presenter.say("Another one starts. All it needs to know is in the cluster.");
    start("second", evictions.noted());
    checks.check("the drain succeeds", DemoSteps.SUCCESS, () -> DemoSteps.exitCodeSoFar(drain));
    checks.check("the request is complete", "DrainComplete", this::requestReason);
    checks.check("its status has counted both workers", "2 gone, 0 left", this::counts);
    checks.check(
        "nothing but the exporter is left on " + node, "exporter", () -> view.appsOn(node));
    checks.check(
        "each of the two workers was evicted, and none twice",
        "2 evictions of " + workers,
        () -> evictions.granted().size() + " evictions of " + new TreeSet<>(evictions.granted()));
    checks.check("the request holds the node", holder(), () -> view.holders(node));
    checks.check("all 12 workers are ready elsewhere", "12", () -> "" + view.ready("slurmd"));
    presenter.show(view);
  }

  private Run crashInTheMiddle(String node) {
    Evictions.ProcessKiller deadly = evictions.new ProcessKiller(view.changes());
    start("first", deadly);
    Run drain =
        shell.start(
            "drain",
            node,
            "--ignore-daemonsets",
            "--server-side",
            "-n",
            NAMESPACE,
            "--holder",
            HOLDER,
            "--reason",
            "driver 580");
    checks.check(
        "the operator has evicted the first worker",
        "an eviction",
        () -> deadly.killed() ? "an eviction" : "none yet");
    shell.show("kill", "-9", "%1");
    end();
    presenter.say(
        "The operator is dead, killed after that eviction was granted and before it could write it down.");
    checks.check("one worker has been evicted", "1", () -> "" + evictions.granted().size());
    checks.checkNot("the request is not complete", "DrainComplete", this::requestReason);
    checks.check("its status knows of two workers", "0 gone, 2 left", this::counts);
    presenter.say(
        "No crash releases the node: the request itself holds it, as drainrequest/NAMESPACE/NAME.");
    checks.check("the node stays held by " + holder(), holder(), () -> view.holders(node));
    return drain;
  }

  private String holder() {
    return "drainrequest/" + NAMESPACE + "/" + request;
  }

  private void define() {
    shell.show("drydock", "crds", "|", "kubectl", "apply", "-f", "-");
    byte[] yaml = CrdCatalog.yaml().getBytes(StandardCharsets.UTF_8);
    for (HasMetadata definition : view.client().load(new ByteArrayInputStream(yaml)).items()) {
      var _ = view.client().resource(definition).createOr(NonDeletingOperation::update);
    }
    checks.check("the cluster knows DrainRequests", "known", view::knowsRequests);
    view.watchRequests();
  }

  private void start(String name, RequestInterceptor hook) {
    shell.show("drydock", "operator", "--leader-elect=false", "&");
    KubernetesClient client = view.connect();
    Operator operator = Operator.defaults(client, NAMESPACE, name, hook);
    operators.push(new RunningOperator(operator, client));
    operator.lead();
  }

  private void end() {
    operators.pop().end();
  }

  String requestReason() {
    return view.requestReason(NAMESPACE, request);
  }

  private String counts() {
    return view.requestCounts(NAMESPACE, request);
  }

  void deleteRequest() {
    shell.show("kubectl", "delete", "drainrequest", "-n", NAMESPACE, request);
    var _ =
        view.client()
            .resources(DrainRequest.class)
            .inNamespace(NAMESPACE)
            .withName(request)
            .delete();
  }

  @Override
  public void close() {
    while (!operators.isEmpty()) {
      end();
    }
  }
}
