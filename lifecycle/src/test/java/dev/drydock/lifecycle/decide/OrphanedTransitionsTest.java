package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.DRAIN;
import static dev.drydock.lifecycle.decide.TestClaimInput.DRIVER;
import static dev.drydock.lifecycle.decide.TestClaimInput.NODE;
import static dev.drydock.lifecycle.decide.TestClaimInput.START;
import static dev.drydock.lifecycle.decide.TestClaimInput.at;
import static dev.drydock.lifecycle.decide.TestClaimInput.pending;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrphanedTransitionsTest {
  private static final TransitionFacts OWN = of(new NodeCoverage.OneNode(NODE), false);
  private static final Optional<Set<String>> THERE = Optional.of(Set.of(OWN.uid()));
  private static final Optional<Set<String>> NOT_THERE = Optional.of(Set.of());

  @Test
  void atTheStartThoseGoWhoseDriverDoesNotCome() {
    assertThat(look(OWN, Map.of(), THERE, at(29)).due()).isEmpty();
    assertThat(look(OWN, Map.of(), THERE, at(29)).next()).contains(at(30));
    assertThat(look(OWN, Map.of(), THERE, at(30)).due()).containsExactly(OWN);
    assertThat(look(OWN, Map.of(), THERE, at(30)).isStartOver()).isTrue();
    assertThat(look(OWN, Map.of(DRIVER, DriverPresence.CONNECTED), THERE, at(30)).due()).isEmpty();
  }

  @Test
  void whatComesAfterTheStartStays() {
    assertThat(look(OWN, Map.of(), NOT_THERE, at(30)).due()).isEmpty();
    assertThat(look(OWN, Map.of(), Optional.empty(), at(3600)).due()).isEmpty();
    assertThat(look(OWN, Map.of(), Optional.empty(), at(3600)).next()).isEmpty();
  }

  @Test
  void whatAnEventWaitsForStaysAtTheStart() {
    assertThat(
            new OrphanedTransitions(
                    NODE,
                    Map.of(DRAIN, OWN),
                    List.of(pending("a")),
                    Map.of(),
                    START,
                    THERE,
                    Map.of(),
                    at(30))
                .due())
        .isEmpty();
  }

  @Test
  void aDeregistrationIsAnOccasionOfItsOwnAndPassesOnce() {
    Map<String, DriverPresence> gone = Map.of(DRIVER, DriverPresence.deregistered(at(100)));

    assertThat(look(OWN, gone, THERE, at(30)).due()).isEmpty();
    assertThat(look(OWN, gone, Optional.empty(), at(129)).due()).isEmpty();
    assertThat(look(OWN, gone, Optional.empty(), at(129)).next()).contains(at(130));
    assertThat(look(OWN, gone, Optional.empty(), at(130)).due()).containsExactly(OWN);
    assertThat(look(OWN, gone, Optional.empty(), at(130)).deregistered()).containsExactly(DRIVER);
    OrphanedTransitions passed =
        new OrphanedTransitions(
            NODE,
            Map.of(DRAIN, OWN),
            List.of(),
            gone,
            START,
            Optional.empty(),
            Map.of(DRIVER, at(100)),
            at(3600));
    assertThat(passed.due()).isEmpty();
    assertThat(passed.next()).isEmpty();
  }

  @Test
  void aDriverThatIsOnlySilentKeepsItsTransitions() {
    DriverPresence silent = new DriverPresence(Optional.of(START), Optional.empty());

    assertThat(look(OWN, Map.of(DRIVER, silent), THERE, at(3600)).due()).isEmpty();
  }

  @Test
  void thoseForMoreThanThisNodeStayAndThoseThatAreDeletedAlready() {
    for (TransitionFacts other :
        List.of(
            of(new NodeCoverage.AllNodes(), false),
            of(new NodeCoverage.OneNode("n2"), false),
            of(new NodeCoverage.OneNode(NODE), true))) {
      assertThat(look(other, Map.of(), THERE, at(30)).due()).isEmpty();
      assertThat(
              look(
                      other,
                      Map.of(DRIVER, DriverPresence.deregistered(START)),
                      Optional.empty(),
                      at(3600))
                  .due())
          .isEmpty();
    }
  }

  private static OrphanedTransitions look(
      TransitionFacts transition,
      Map<String, DriverPresence> drivers,
      Optional<Set<String>> atStart,
      Instant now) {
    return new OrphanedTransitions(
        NODE, Map.of(DRAIN, transition), List.of(), drivers, START, atStart, Map.of(), now);
  }

  private static TransitionFacts of(NodeCoverage coverage, boolean deleting) {
    return new TransitionFacts(
        DRAIN,
        "uid",
        deleting,
        "drain-started",
        "drain-complete",
        coverage,
        Optional.empty(),
        DRIVER);
  }
}
