package dev.drydock.drain.engine.decide;

import static dev.drydock.drain.engine.decide.TestFacts.s;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.EvictionAnswer.Accepted;
import dev.drydock.drain.engine.decide.EvictionAnswer.Denied;
import dev.drydock.drain.engine.decide.EvictionAnswer.Failed;
import dev.drydock.drain.engine.decide.EvictionAnswer.Gone;
import dev.drydock.drain.engine.decide.EvictionAnswer.NamespaceTerminating;
import dev.drydock.drain.engine.decide.EvictionAnswer.RefusedByBudget;
import dev.drydock.drain.engine.decide.EvictionAnswer.ServerInTrouble;
import dev.drydock.drain.engine.decide.EvictionAnswer.SeveralBudgets;
import dev.drydock.drain.engine.decide.EvictionAnswer.Throttled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvictionAnswerTest {
  @Test
  void onlyTheBodysSuccessIsSuccess() {
    assertThat(EvictionAnswer.toEviction(ApiAnswer.success(201))).isEqualTo(new Accepted());
    assertThat(EvictionAnswer.toEviction(ApiAnswer.success(200))).isEqualTo(new Accepted());
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(200, "no"))).isInstanceOf(Failed.class);
    assertThat(
            EvictionAnswer.toEviction(new ApiAnswer(201, "", "", "", List.of(), Optional.empty())))
        .isInstanceOf(Failed.class);
  }

  @Test
  void aDeletionMayAnswerWithThePod() {
    assertThat(
            EvictionAnswer.toDeletion(
                new ApiAnswer(200, "", "Pod", "", List.of(), Optional.empty())))
        .isEqualTo(new Accepted());
    assertThat(EvictionAnswer.toDeletion(ApiAnswer.failure(404, "not found")))
        .isEqualTo(new Gone());
  }

  @Test
  void aPodThatIsMissingOrReplacedIsGone() {
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(404, "not found")))
        .isEqualTo(new Gone());
    assertThat(
            EvictionAnswer.toEviction(
                ApiAnswer.failure(
                    409, "the UID in the precondition (a) does not match the UID in record (b)")))
        .isEqualTo(new Gone());
    assertThat(
            EvictionAnswer.toDeletion(
                ApiAnswer.failure(409, "Precondition failed: UID in precondition: a, UID in ...")))
        .isEqualTo(new Gone());
  }

  @Test
  void otherConflictsPass() {
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(409, "the object has been modified")))
        .isInstanceOf(Failed.class);
  }

  @Test
  void aBudgetsRefusalCarriesItsNumbers() {
    EvictionAnswer answer =
        EvictionAnswer.toEviction(
            ApiAnswer.failure(429, "Cannot evict pod")
                .because("DisruptionBudget", "The disruption budget a needs 2 and has 2"));

    assertThat(answer)
        .isEqualTo(
            new RefusedByBudget(
                "HTTP 429: The disruption budget a needs 2 and has 2", Optional.empty()));
    assertThat(((RefusedByBudget) answer).retryIn()).isEqualTo(s(5));
  }

  @Test
  void aBudgetInProcessAsksForMoreTime() {
    EvictionAnswer answer =
        EvictionAnswer.toEviction(
            ApiAnswer.failure(429, "Cannot evict pod")
                .because("DisruptionBudget", "still being processed")
                .retryAfter(s(10)));

    assertThat(((RefusedByBudget) answer).retryIn()).isEqualTo(s(10));
  }

  @Test
  void forbiddenAboutABudgetIsTheBudget() {
    ApiAnswer forbidden = ApiAnswer.failure(403, "pdb disruptions allowed is negative");

    assertThat(EvictionAnswer.toEviction(forbidden.about("poddisruptionbudget")))
        .isInstanceOf(RefusedByBudget.class);
    assertThat(EvictionAnswer.toEviction(forbidden.because("DisruptionBudget", "x")))
        .isInstanceOf(RefusedByBudget.class);
  }

  @Test
  void severalBudgetsAreToldFromOtherServerErrors() {
    assertThat(
            EvictionAnswer.toEviction(
                ApiAnswer.failure(500, "This pod has more than one PodDisruptionBudget, ...")))
        .isInstanceOf(SeveralBudgets.class);
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(500, "etcd is down")))
        .isInstanceOf(Failed.class);
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(504, "timeout")))
        .isInstanceOf(ServerInTrouble.class);
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(400, "name differs")))
        .isInstanceOf(Failed.class);
  }

  @Test
  void theServersThrottleIsToldFromAWebhooks() {
    ApiAnswer busy = ApiAnswer.failure(429, "Too many requests, please try again later.");

    assertThat(EvictionAnswer.toEviction(busy.retryAfter(s(3))))
        .isEqualTo(new Throttled("HTTP 429: " + busy.message(), s(3)));
    assertThat(EvictionAnswer.toEviction(busy)).isInstanceOf(Denied.class);
    assertThat(EvictionAnswer.toEviction(busy.retryAfter(Duration.ZERO)))
        .isInstanceOf(Denied.class);
    assertThat(
            EvictionAnswer.toEviction(
                ApiAnswer.failure(429, "admission webhook \"vm\" denied the request: migrating")
                    .retryAfter(s(3))))
        .isInstanceOf(Denied.class);
  }

  @Test
  void whatIsAboutOneObjectIsNoTroubleOfTheServer() {
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(503, "etcd is down")))
        .isInstanceOf(ServerInTrouble.class);
    for (String one :
        List.of(
            "couldn't update PodDisruptionBudget \"a\" due to conflicts",
            "admission webhook \"vm\" denied the request: later",
            "failed calling webhook \"vm\": timeout")) {
      assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(504, one).retryAfter(s(10))))
          .isInstanceOf(Failed.class);
    }
  }

  @Test
  void forbiddenIsANamespaceThatEndsOrADenial() {
    ApiAnswer forbidden = ApiAnswer.failure(403, "pods \"a\" is forbidden");

    assertThat(EvictionAnswer.toEviction(forbidden.because("NamespaceTerminating", "ending")))
        .isInstanceOf(NamespaceTerminating.class);
    assertThat(EvictionAnswer.toEviction(forbidden)).isInstanceOf(Denied.class);
  }

  @Test
  void messagesAreOneLine() {
    Failed failed = (Failed) EvictionAnswer.toEviction(ApiAnswer.failure(500, "first\nsecond\n"));

    assertThat(failed.message()).isEqualTo("HTTP 500: first second");
    assertThat(EvictionAnswer.toEviction(ApiAnswer.failure(500, " ")))
        .isEqualTo(new Failed("HTTP 500: no reason given"));
  }
}
