package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.YesNoQuestion;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.HoldOwner;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Nodes that are held because their maintenance did not prove them fit. */
final class UnfitNodes {
  private final KubeHttp http;
  private final PrintWriter screen;
  private final YesNoQuestion question;
  private final List<HoldOwner> owners = Features.load().holdOwners();

  UnfitNodes(KubeHttp http, PrintWriter screen, YesNoQuestion question) {
    this.http = http;
    this.screen = screen;
    this.question = question;
  }

  /**
   * If one of the holds is that of a maintenance which is incomplete, says so and asks; fails
   * without a yes, and where nobody can be asked.
   */
  void ask(String node, Holds holds) {
    for (Hold hold : holds.byHolder().values()) {
      if (isIncomplete(hold.holder())) {
        ask(
            "node %s was not proved fit: %s is %s"
                .formatted(node, hold.holder(), MaintenanceState.INCOMPLETE.text()));
      }
    }
  }

  private void ask(String unfit) {
    Optional<Boolean> answer =
        question.ask(screen, "Warning: " + unfit + ". Return it to service all the same?");
    if (answer.isEmpty()) {
      throw new CommandFailure(unfit + "; repair it, or add --yes to return it all the same");
    }
    if (!answer.get()) {
      throw new CommandFailure(unfit + "; it stays out of service");
    }
  }

  /** A user who may not read the owner may still uncordon, as with kubectl. */
  private boolean isIncomplete(String holder) {
    Optional<String> path =
        holder.startsWith(Hold.MAINTENANCE_PREFIX)
            ? owners.stream().flatMap(owner -> owner.path(holder).stream()).findFirst()
            : Optional.empty();
    if (path.isEmpty()) {
      return false;
    }
    KubeAnswer answer = http.send(ApiCall.get(path.get()));
    return answer.ok()
        && Fields.text(answer.body().path("status"), "maintenanceStatus")
            .equals(MaintenanceState.INCOMPLETE.text());
  }
}
