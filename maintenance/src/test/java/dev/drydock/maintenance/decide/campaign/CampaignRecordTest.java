package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.campaign.CampaignRecord.Server;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CampaignRecordTest {
  private static final CampaignRecord THREE = new CampaignRecord(Optional.of("ops"), 3, false);

  @Test
  void isLostIfItHasFewerNodesThanWereRecorded() {
    assertThat(THREE.lost(3)).isEmpty();
    assertThat(THREE.lost(4)).isEmpty();
    assertThat(THREE.lost(1).orElseThrow()).startsWith("the record of 2 nodes").contains("ops");
    assertThat(new CampaignRecord(Optional.empty(), 0, false).lost(0)).isEmpty();
  }

  @Test
  void anEntryCountsThoseBeforeIt() {
    CompletedDeparture entry = new CompletedDeparture(Instant.EPOCH, Instant.EPOCH);
    CampaignRecord fresh = new CampaignRecord(Optional.of("ops"), 0, false);
    assertThat(fresh.with(List.of()).done()).isZero();
    assertThat(fresh.with(List.of(entry, entry.after(0))).done()).isEqualTo(2);
    assertThat(fresh.with(List.of(entry.after(3), entry.after(4))).lost(2).orElseThrow())
        .startsWith("the record of 3 nodes");
    assertThat(THREE.with(List.of(entry)).done()).isEqualTo(3);
  }

  @Test
  void belongsToTheOperatorOfOneNamespace() {
    CampaignRecord fresh = new CampaignRecord(Optional.empty(), 0, false);
    assertThat(fresh.isClaimed()).isFalse();
    assertThat(THREE.isClaimed()).isTrue();
    for (boolean over : new boolean[] {false, true}) {
      for (int known = 0; known <= 4; known++) {
        CampaignRecord claimed = new CampaignRecord(Optional.of("ops"), 3, over);
        CampaignRecord unclaimed = new CampaignRecord(Optional.empty(), 3, over);
        boolean gone = over && known < 3;
        assertThat(claimed.server("ops", known)).isEqualTo(gone ? Server.NONE : Server.THIS);
        assertThat(claimed.server("other", known)).isEqualTo(Server.ANOTHER);
        assertThat(unclaimed.server("ops", known)).isEqualTo(Server.NONE);
      }
    }
  }
}
