package dev.drydock.drain.engine;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all contracts of the engine have: a fixture of their own, and an engine at work in it. */
abstract class EngineContract {
  DrainFixture fixture;
  DrainEngine engine;

  @BeforeEach
  void begin(DrainFixture given) {
    fixture = given;
    engine = fixture.engine();
  }

  @AfterEach
  void end() {
    engine.close();
    fixture.close();
  }
}
