package dev.drydock.health.store.served;

import com.google.protobuf.Empty;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.FeedSource;
import dev.drydock.health.wire.EventStoreProto;
import java.util.List;
import java.util.Optional;

/**
 * The history of a served store.
 *
 * @param closed runs when the feed ends
 */
record ServedChanges(ServedStore store, String name, Runnable closed) implements FeedSource {
  static EventStoreProto.Consumer consumer(String name) {
    return EventStoreProto.Consumer.newBuilder().setName(name).build();
  }

  @Override
  public Optional<String> load() {
    EventStoreProto.PositionAnswer answer =
        store.call("read a position", stub -> stub.loadPosition(consumer(name)));
    return answer.hasToken() ? Optional.of(answer.getToken()) : Optional.empty();
  }

  @Override
  public void save(String token) {
    EventStoreProto.SavePositionRequest request =
        EventStoreProto.SavePositionRequest.newBuilder().setConsumer(name).setToken(token).build();
    var _ = store.call("save a position", stub -> stub.savePosition(request));
  }

  @Override
  public String now() {
    return store
        .call("read the last position", stub -> stub.now(Empty.getDefaultInstance()))
        .getToken();
  }

  @Override
  public List<Change> read(String after, int most) throws HistoryLost {
    EventStoreProto.ChangesRequest request =
        EventStoreProto.ChangesRequest.newBuilder().setAfter(after).setMost(most).build();
    EventStoreProto.ChangePage page = store.call("read changes", stub -> stub.readChanges(request));
    if (page.hasHistoryLost()) {
      throw new HistoryLost(page.getHistoryLost());
    }
    return page.getChangesList().stream().map(StoreMessages::change).toList();
  }

  @Override
  public void close() {
    closed.run();
  }
}
