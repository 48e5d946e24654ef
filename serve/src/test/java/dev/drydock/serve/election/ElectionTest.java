package dev.drydock.serve.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Election;
import dev.drydock.kube.Kube;
import dev.drydock.kube.LoopHealth;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Candidates for one Lease of a simulated cluster, in virtual time. */
class ElectionTest {
  private static final String LEASE = "drydock-test";
  private static final Duration FREE = Duration.ofSeconds(15);
  private static final Duration RENEW_EVERY = Duration.ofSeconds(2);

  private final TestCluster cluster = TestCluster.simulated();
  private final List<String> history = new ArrayList<>();
  private final List<Candidate> candidates = new ArrayList<>();

  @AfterEach
  void close() {
    candidates.forEach(candidate -> candidate.process.kill());
    cluster.close();
  }

  private final class Candidate {
    private final String name;
    private final TestProcess process;
    private final Election election;
    private boolean cutOff;
    private boolean broken;
    private boolean leading;

    Candidate(String name, Duration clockIsAhead) {
      this.name = name;
      UnaryOperator<TimeSource> time = right -> new ShiftedTime(right, clockIsAhead);
      process = cluster.process(ProcessOptions.of(new Line()).withTime(time));
      election =
          new Election(
              process.kube(),
              new Election.LeaseSettings("default", LEASE, name, FREE, RENEW_EVERY),
              this::lead,
              this::follow);
      candidates.add(this);
      election.start();
    }

    private void lead() {
      if (broken) {
        throw new IllegalStateException("a bug of the leading code");
      }
      leading = true;
      history.add(name + " leads");
    }

    private void follow() {
      if (leading) {
        leading = false;
        history.add(name + " stops, Lease of " + holder());
      }
    }

    private final class Line implements RequestInterceptor {
      @Override
      public void before(ApiCall call) {
        if (cutOff) {
          throw new ApiFailure(0, "cut off");
        }
      }

      @Override
      public void after(ApiCall call, int code) {}
    }
  }

  private Candidate candidate(String name) {
    return new Candidate(name, Duration.ZERO);
  }

  private Lease lease() {
    return cluster.client().leases().inNamespace("default").withName(LEASE).get();
  }

  private String holder() {
    Lease lease = lease();
    return lease == null ? "nobody" : lease.getSpec().getHolderIdentity();
  }

  private void pass(int seconds) {
    cluster.pass(Duration.ofSeconds(seconds));
  }

  @Test
  void oneLeadsAndAnotherFollowsWhenItIsDead() {
    Candidate first = candidate("first");
    pass(1);
    Candidate second = candidate("second");
    pass(120);
    assertThat(history).containsExactly("first leads");

    first.process.kill();
    pass(12);
    assertThat(second.leading).isFalse();
    pass(8);
    assertThat(history).containsExactly("first leads", "second leads");
    assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(2);
  }

  @Test
  void aLeaseWithoutTimesIsTakenWhenItDoesNotChange() {
    cluster
        .client()
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withName(LEASE)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("somebody")
                .endSpec()
                .build())
        .create();

    Candidate only = candidate("only");
    pass(14);
    assertThat(only.leading).isFalse();
    pass(4);
    assertThat(only.leading).isTrue();
  }

  @Test
  void aClockThatIsWrongTakesOverFromNobody() {
    Candidate first = candidate("first");
    pass(1);
    var _ = new Candidate("ahead", Duration.ofHours(1));
    var _ = new Candidate("behind", Duration.ofHours(-1));

    pass(600);

    assertThat(history).containsExactly("first leads");
    assertThat(first.leading).isTrue();
  }

  @Test
  void aLeaderThatCannotRenewStopsBeforeAnotherBegins() {
    Candidate first = candidate("first");
    pass(1);
    Candidate second = candidate("second");
    pass(30);

    first.cutOff = true;
    pass(30);

    assertThat(history)
        .containsExactly("first leads", "first stops, Lease of first", "second leads");
    first.cutOff = false;
    pass(60);
    assertThat(second.leading).isTrue();
    assertThat(first.leading).isFalse();
  }

  @Test
  void leadingCodeThatFailsEndsTheTermLoudlyAndAnotherProcessLeads() {
    Candidate first = candidate("first");
    first.broken = true;
    pass(1);
    Candidate second = candidate("second");

    pass(10);

    assertThat(second.leading).isTrue();
    assertThat(holder()).isEqualTo("second");
    assertThat(
            first.process.kube().health().loops().stream()
                .filter(loop -> loop.name().equals("leader"))
                .mapToLong(LoopHealth::failures)
                .sum())
        .isEqualTo(1);
  }

  @Test
  void theLeadingCodeOfAProcessThatIsAloneIsTriedAgain() {
    Candidate only = candidate("only");
    only.broken = true;
    pass(60);
    assertThat(only.leading).isFalse();

    only.broken = false;
    pass(60);
    assertThat(only.leading).isTrue();
  }

  private Election election(Kube kube, String lease, Runnable lead) {
    return new Election(
        kube,
        new Election.LeaseSettings("default", lease, "me", FREE, RENEW_EVERY),
        lead,
        () -> {});
  }

  @Test
  void aBugAboutOneLeaseHoldsUpNoOther() {
    LoopBug bug = new LoopBug().at(call -> call.path().endsWith("/leases/bad"));
    Kube kube = cluster.process(bug).kube();
    try (Election bad = election(kube, "bad", () -> history.add("bad leads"));
        Election good = election(kube, "good", () -> history.add("good leads"))) {
      bad.start();
      good.start();

      bug.staysIn(
          "election",
          kube,
          cluster.eventually(),
          () -> assertThat(history).containsExactly("good leads"),
          () -> assertThat(history).containsExactly("good leads", "bad leads"));
    }
  }

  @Test
  void aBugInTheLeadingCodeHoldsUpNoOther() {
    LoopBug bug = new LoopBug();
    Kube kube = cluster.process().kube();
    try (Election bad =
            election(
                kube,
                "bad",
                () -> {
                  bug.strike();
                  history.add("bad leads");
                });
        Election good = election(kube, "good", () -> history.add("good leads"))) {
      bad.start();
      good.start();

      bug.staysIn(
          "leader",
          kube,
          cluster.eventually(),
          () -> assertThat(history).containsExactly("good leads"),
          () -> assertThat(history).containsExactly("good leads", "bad leads"));
    }
  }

  @Test
  void whoeverIsClosedStopsBeforeItReleasesTheLease() {
    Candidate first = candidate("first");
    pass(1);
    Candidate second = candidate("second");
    pass(5);

    first.election.close();
    assertThat(history).containsExactly("first leads", "first stops, Lease of first");
    assertThat(holder()).isEmpty();

    pass(3);
    assertThat(second.leading).isTrue();
  }

  @Test
  void aLeaseThatIsDeletedIsMadeAgainByItsHolder() {
    Candidate first = candidate("first");
    pass(1);
    var _ = candidate("second");
    pass(5);

    for (int i = 0; i < 5; i++) {
      var _ = cluster.client().leases().inNamespace("default").withName(LEASE).delete();
      pass(5);
    }

    assertThat(history).containsExactly("first leads");
    assertThat(first.leading).isTrue();
    assertThat(holder()).isEqualTo("first");
  }

  @Test
  void aLeaderStopsWhenTheLeaseIsSomebodyElses() {
    Candidate first = candidate("first");
    pass(5);

    var _ =
        cluster
            .client()
            .leases()
            .inNamespace("default")
            .withName(LEASE)
            .edit(
                lease -> {
                  lease.getSpec().setHolderIdentity("thief");
                  return lease;
                });
    pass(3);

    assertThat(first.leading).isFalse();
    assertThat(holder()).isEqualTo("thief");
    pass(20);
    assertThat(first.leading).isTrue();
  }

  @Test
  void aNamespaceThatDoesNotExistIsNamedWithWhatToDo() {
    TestProcess process = cluster.process();
    try (Election election =
        new Election(
            process.kube(),
            new Election.LeaseSettings("nowhere", LEASE, "first", FREE, RENEW_EVERY),
            () -> history.add("leads"),
            () -> {})) {
      election.start();
      pass(1);

      assertThat(election.problem())
          .contains("namespace nowhere does not exist; run: kubectl create namespace nowhere");
      assertThat(history).isEmpty();
    } finally {
      process.kill();
    }
  }
}
