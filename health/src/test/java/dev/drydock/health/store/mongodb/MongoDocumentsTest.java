package dev.drydock.health.store.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StatusField;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoredEvent;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** What MongoDB itself says in a change stream, which the server of the other tests does not. */
class MongoDocumentsTest {
  private static StatusUpdate update(String updatedFields) {
    return MongoDocuments.update(BsonDocument.parse(updatedFields));
  }

  @Test
  void fieldsThatTheOriginalUpdatedAreUnderstood() {
    assertThat(update("{'healtheventstatus.nodequarantined': 'Quarantined'}").values())
        .isEqualTo(Map.of(StatusField.NODE_QUARANTINED, "Quarantined"));
    assertThat(update("{'healtheventstatus.userpodsevictionstatus.status': 'InProgress'}").values())
        .isEqualTo(Map.of(StatusField.USER_PODS_EVICTION_STATUS_STATUS, "InProgress"));
    assertThat(
            update(
                    "{'healtheventstatus.userpodsevictionstatus': {status: 'Succeeded', message: 'm'}}")
                .values())
        .isEqualTo(
            Map.of(StatusField.USER_PODS_EVICTION_STATUS, new OperationStatus("Succeeded", "m")));
    assertThat(
            update(
                    "{'healtheventstatus.quarantinefinishtimestamp': {seconds: {$numberLong: '7'}, nanos: 9},"
                        + " 'healtheventstatus.faultremediated': {value: true},"
                        + " 'healtheventstatus.drainfinishtimestamp': null, other: 1}")
                .values())
        .isEqualTo(
            Map.of(
                StatusField.QUARANTINE_FINISH_TIMESTAMP,
                Instant.ofEpochSecond(7, 9),
                StatusField.FAULT_REMEDIATED,
                true));
    assertThat(update("{'healtheventstatus.spanids.node-drainer': 'abc'}").spanIds())
        .isEqualTo(Map.of("node-drainer", "abc"));
  }

  @Test
  void anUpdateOfOursTellsAllOfItAlsoWhatHadTheValueBefore() {
    StatusUpdate wanted =
        StatusUpdate.NONE
            .nodeQuarantined(HealthStatus.QUARANTINED)
            .evictionStatus(HealthStatus.IN_PROGRESS)
            .episode("e-1")
            .spanId("fq", "1");
    BsonDocument set = MongoDocuments.set(wanted).getDocument("$set");

    // the server leaves out what did not change
    BsonDocument told = new BsonDocument("drydock", set.get("drydock"));

    assertThat(MongoDocuments.update(told)).isEqualTo(wanted);
    assertThat(set.keySet())
        .contains(
            "healtheventstatus.nodequarantined",
            "healtheventstatus.userpodsevictionstatus.status",
            "healtheventstatus.episode",
            "healtheventstatus.spanids.fq");
  }

  @Test
  void theWholeAndItsPartsAreOneField() {
    BsonDocument set =
        MongoDocuments.set(
                StatusUpdate.NONE
                    .eviction(HealthStatus.SUCCEEDED, "all gone")
                    .evictionMessage("nearly"))
            .getDocument("$set");

    assertThat(set.getDocument("healtheventstatus.userpodsevictionstatus").toJson())
        .contains("Succeeded", "nearly");
    assertThat(set.keySet()).doesNotContain("healtheventstatus.userpodsevictionstatus.message");
  }

  @Test
  void keysOfDocumentsAreInLowerCaseWithTheOriginalsTypes() {
    BsonDocument document =
        MongoDocuments.bson(
            StatusDocument.of(
                HealthEvent.builder()
                    .nodeName("n1")
                    .checkName("GpuXidError")
                    .generatedTimestamp(Instant.ofEpochSecond(7, 9))
                    .build()));

    BsonDocument event = document.getDocument("healthevent");
    assertThat(event.getString("nodename").getValue()).isEqualTo("n1");
    assertThat(event.isInt32("recommendedaction")).isTrue();
    assertThat(event.getDocument("generatedtimestamp").isInt64("seconds")).isTrue();
    assertThat(document.getDocument("healtheventstatus").getDocument("userpodsevictionstatus"))
        .isEmpty();
    assertThat(event.keySet()).allMatch(key -> key.equals(key.toLowerCase(Locale.ROOT)));
  }

  @Test
  void idsAreInTheOrderOfTheirTimes() {
    long second = 1_767_323_045_000_000L;

    assertThat(
            LongStream.of(0, 1, 999, 1000, 255_999, 256_000, 999_999, 1_000_000)
                .mapToObj(micros -> MongoDocuments.newId(second + micros))
                .toList())
        .isSortedAccordingTo(ObjectId::compareTo);
    assertThat(MongoDocuments.newId(second).getDate().toInstant())
        .isEqualTo(Instant.ofEpochSecond(1_767_323_045));
  }

  @Test
  void aDocumentThatCannotBeReadIsAnEventThatNobodyActsOn() {
    StoredEvent event =
        MongoDocuments.read(
            BsonDocument.parse(
                "{_id: {$oid: '000000000000000000000001'}, healthevent: {isfatal: 'perhaps'}}"));

    assertThat(event.event().processingStrategy().acts()).isFalse();
    assertThat(event.createdAt()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void tokensThatCannotBeGoneOnFromAreLostHistoryAndNothingElseIs() {
    for (int code : new int[] {9, 260, 280, 286}) {
      assertThat(MongoFailure.isLost(failure(code))).as("code %d", code).isTrue();
    }
    assertThat(MongoFailure.isLost(failure(13))).isFalse();
    assertThat(MongoFailure.isLost(failure(11600))).as("shutting down").isFalse();
  }

  private static MongoCommandException failure(int code) {
    return new MongoCommandException(
        BsonDocument.parse("{ok: 0, code: %d, errmsg: 'no'}".formatted(code)), new ServerAddress());
  }
}
