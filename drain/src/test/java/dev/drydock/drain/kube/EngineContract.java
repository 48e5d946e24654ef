package dev.drydock.drain.kube;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all contracts of the engine have: a scene of their own, and an engine at work in it. */
abstract class EngineContract {
  Scene scene;
  Drains engine;

  @BeforeEach
  void begin(Scene given) {
    scene = given;
    engine = scene.engine();
  }

  @AfterEach
  void end() {
    engine.close();
    scene.close();
  }
}
