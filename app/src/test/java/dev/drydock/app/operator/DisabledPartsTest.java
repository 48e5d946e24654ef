package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.Features;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DisabledPartsTest {
  private final TestCluster cluster = TestCluster.simulated();

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aBugAboutOnePartHoldsUpNoOther() {
    cluster.define(CrdCatalog.yaml(List.of(DrainRequest.class)));
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger ends = new AtomicInteger();
    LoopBug bug =
        new LoopBug()
            .at(
                call -> {
                  if (call.path().contains("/lifecycle")) {
                    looks.incrementAndGet();
                  }
                  return call.verb() == ApiCall.Verb.LIST && call.path().contains("/drainrequests");
                });
    Kube kube = cluster.process(bug).kube();
    Features wanted = Features.load().only(List.of("drain", "lifecycle"));
    try (DisabledParts disabled =
        new DisabledParts(kube, wanted, new Features(List.of()), ends::incrementAndGet)) {
      disabled.start();

      bug.staysIn(
          "disabled-parts",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(looks.get()).as("the other part is still looked for").isGreaterThan(2);
            assertThat(ends).hasValue(0);
          },
          () -> assertThat(ends).as("the part is there, so the process ends").hasValue(1));
    }
  }
}
