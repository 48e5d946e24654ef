package dev.drydock.drain.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.YesNoQuestion;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.HoldOwner;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Nodes that are held by an object that did not prove them fit. */
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
   * If the owner of one of the holds says that the node is unfit, says so and asks; fails without a
   * yes, and where nobody can be asked.
   */
  void ask(String node, Holds holds) {
    for (Hold hold : holds.byHolder().values()) {
      unfit(hold.holder())
          .ifPresent(
              state ->
                  ask(
                      "node %s was not proved fit: %s is %s"
                          .formatted(node, hold.holder(), state)));
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

  private Optional<String> unfit(String holder) {
    return owners.stream().flatMap(owner -> unfit(holder, owner).stream()).findFirst();
  }

  /** A user who may not read the owner may still uncordon, as with kubectl. */
  private Optional<String> unfit(String holder, HoldOwner owner) {
    return owner
        .unfit()
        .flatMap(
            unfit ->
                owner
                    .path(holder)
                    .map(path -> http.send(ApiCall.get(path)))
                    .filter(KubeAnswer::ok)
                    .flatMap(answer -> unfit.apply(answer.body())));
  }
}
