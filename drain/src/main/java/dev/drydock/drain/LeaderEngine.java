package dev.drydock.drain;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The engine of an operator that leads, shared by its features. It obeys the andon cord. */
public final class LeaderEngine implements AutoCloseable {
  private final DrainEngine engine;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  private LeaderEngine(OperatorContext context) {
    engine = new DrainEngine(context.kube());
    new AndonCord(context.kube(), context.namespace())
        .govern(engine, () -> listeners.forEach(Runnable::run));
  }

  public static LeaderEngine of(OperatorContext context, LeaderTerm term) {
    return term.shared(LeaderEngine.class, () -> new LeaderEngine(context));
  }

  public DrainEngine engine() {
    return engine;
  }

  /** Runs when the cord is pulled or released. */
  public void onCord(Runnable changed) {
    listeners.add(changed);
  }

  @Override
  public void close() {
    engine.close();
  }
}
