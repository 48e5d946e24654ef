package dev.drydock.sim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreTest {
  private static final String THINGS = "things";
  private static final int HISTORY = 4;

  private final Store store = new Store(HISTORY);

  StoreTest() {
    store.open(THINGS);
  }

  @Test
  void everyWriteHasTheNextVersionAndIsRemembered() throws InterruptedException {
    put("a");
    put("a");
    store.remove(THINGS, key("a"), object("a"));

    Store.Batch batch = store.after(THINGS, 0);

    assertThat(batch.events())
        .extracting(ObjectChange::type)
        .containsExactly(
            ObjectChange.Type.ADDED, ObjectChange.Type.MODIFIED, ObjectChange.Type.DELETED);
    assertThat(batch.events()).extracting(ObjectChange::version).containsExactly(1L, 2L, 3L);
    assertThat(batch.events())
        .extracting(event -> JsonTrees.text(event.object(), "metadata", "resourceVersion"))
        .containsExactly("1", "2", "3");
    assertThat(batch.upTo()).isEqualTo(3);
  }

  @Test
  void theStateOfAnEarlierVersionCanBeListed() {
    put("a");
    put("b");
    long then = store.version();
    put("c");
    store.remove(THINGS, key("a"), object("a"));

    assertThat(names(store.listAt(THINGS, null, then))).containsExactly("a", "b");
    assertThat(names(store.list(THINGS, null))).containsExactly("b", "c");
  }

  @Test
  void whatIsTooLongAgoIsForgotten() {
    IntStream.rangeClosed(1, 3 * HISTORY).forEach(i -> put("a" + i));

    assertThatThrownBy(() -> store.listAt(THINGS, null, 1))
        .isInstanceOf(VersionForgotten.class)
        .hasMessageStartingWith("too old resource version: 1 (");
    assertThat(names(store.listAt(THINGS, null, 3L * HISTORY - HISTORY))).hasSize(2 * HISTORY);
  }

  @Test
  void aResourceIsNotKnownBeforeItWasOpened() {
    put("a");
    store.open("later");

    assertThatThrownBy(() -> store.after("later", 0)).isInstanceOf(VersionForgotten.class);
  }

  @Test
  void aNamespaceIsListedWithoutThoseOfLikeNames() {
    for (String namespace : List.of("a", "a-b", "ab", "b")) {
      store.put(THINGS, new ObjectKey(namespace, "x"), object(namespace));
    }

    assertThat(names(store.list(THINGS, "a"))).containsExactly("a");
  }

  @Test
  void listenersHearOfAllChangesInOrderAfterTheWriteThatMadeThem() {
    List<String> heard = new ArrayList<>();
    store.listen(
        event -> {
          heard.add(event.key().name());
          if (event.key().name().equals("cause")) {
            store.put(THINGS, key("consequence"), object("consequence"));
          }
        });

    store.write(
        () -> {
          put("cause");
          put("other");
          heard.add("written");
          return true;
        });

    assertThat(heard).containsExactly("written", "cause", "other", "consequence");
  }

  @Test
  void thoseWhoWaitAreToldWhenNothingMoreCanCome() {
    List<Boolean> kept = new ArrayList<>();
    store.listenForDrops(() -> kept.add(store.keeps(THINGS)));

    store.open("others");
    store.drop("others");
    store.close();

    assertThat(kept).containsExactly(true, false);
    assertThat(store.after(THINGS, 0).closed()).isTrue();
  }

  private void put(String name) {
    store.write(
        () -> {
          store.put(THINGS, key(name), object(name));
          return true;
        });
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("", name);
  }

  private static ObjectNode object(String name) {
    ObjectNode object = JsonTrees.object();
    JsonTrees.metadata(object).put("name", name);
    return object;
  }

  private static List<String> names(Store.Snapshot snapshot) {
    return snapshot.objects().stream().map(it -> JsonTrees.text(it, "metadata", "name")).toList();
  }
}
