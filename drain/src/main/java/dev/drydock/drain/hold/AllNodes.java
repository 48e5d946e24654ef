package dev.drydock.drain.hold;

import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.kube.Watch.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All Nodes of the cluster in a process that watches them anyway: drains and the care for holds
 * look here instead of opening watches of their own.
 */
public final class AllNodes implements AutoCloseable, Watch.Listener<DrainNodeObject> {
  private final Watch<DrainNodeObject> nodes;
  private final Map<String, Set<Member>> members = new ConcurrentHashMap<>();
  private final Set<Consumer<String>> listeners = ConcurrentHashMap.newKeySet();

  public AllNodes(Kube kube) {
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(DrainApiPaths.ALL_NODES, DrainNodeObject::read)
                    .groupedBy(DrainNodeObject::name),
                this);
    nodes.start();
  }

  public State<DrainNodeObject> state() {
    return nodes.state();
  }

  public Optional<DrainNodeObject> find(String node) {
    return nodes.state(node).items().stream().findFirst();
  }

  /** The listener gets the name of each changed node, until the returned Runnable is run. */
  public Runnable listen(Consumer<String> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  public HeldNodeView of(String node, Runnable wake) {
    Member member = new Member(node, wake);
    members.computeIfAbsent(node, _ -> ConcurrentHashMap.newKeySet()).add(member);
    return member;
  }

  @Override
  public void changed(@Nullable DrainNodeObject before, @Nullable DrainNodeObject after) {
    DrainNodeObject node = after == null ? before : after;
    if (node != null) {
      Set<Member> concerned = members.getOrDefault(node.name(), Set.of());
      concerned.forEach(member -> member.changed(after == null));
      listeners.forEach(listener -> listener.accept(node.name()));
    }
  }

  @Override
  public void refreshed() {
    members.values().forEach(each -> each.forEach(Member::refreshed));
    List<DrainNodeObject> known = nodes.state().items();
    listeners.forEach(listener -> known.forEach(node -> listener.accept(node.name())));
  }

  @Override
  public void close() {
    nodes.close();
  }

  /** One node, for one drain. */
  private final class Member implements HeldNodeView {
    private final String name;
    private final Runnable wake;
    private volatile Optional<DrainNodeObject> held = Optional.empty();
    private volatile boolean gone;

    Member(String name, Runnable wake) {
      this.name = name;
      this.wake = wake;
    }

    void changed(boolean nowGone) {
      gone = nowGone;
      wake.run();
    }

    void refreshed() {
      gone = nodes.state(name).items().isEmpty();
      wake.run();
    }

    @Override
    public void held(DrainNodeObject node) {
      held = Optional.of(node);
    }

    /** The watch may still show the node from before it was held, or not at all. */
    @Override
    public State<DrainNodeObject> state() {
      State<DrainNodeObject> state = nodes.state(name);
      List<DrainNodeObject> items =
          state.items().isEmpty() && !gone
              ? held.stream().toList()
              : HeldNodeView.newest(state.items(), held);
      return HeldNodeView.only(name, state, items);
    }

    @Override
    public void close() {
      var _ =
          members.computeIfPresent(
              name,
              (_, each) -> {
                each.remove(this);
                return each.isEmpty() ? null : each;
              });
    }
  }
}
