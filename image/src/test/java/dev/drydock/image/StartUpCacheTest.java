package dev.drydock.image;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StartUpCacheTest {
  private static final String LAST = "[6.0s][info][gc] GC(0) Pause Full (System.gc()) 116M->15M\n";

  @Test
  void oneCollectionAtTheEndIsExpected() {
    assertThatCode(() -> StartUpCache.checkCollections("[0.1s][info][gc] Using Serial\n" + LAST))
        .doesNotThrowAnyException();
  }

  @Test
  void anEarlierCollectionMayChangeTheBytesAndFailsTheBuild() {
    assertThatThrownBy(
            () ->
                StartUpCache.checkCollections(
                    "[2.7s][info][gc] GC(0) Pause Young (Allocation Failure) 19M->5M\n" + LAST))
        .isInstanceOf(ImageFailure.class)
        .hasMessageContaining("2 times")
        .hasMessageContaining("more memory");
  }

  @Test
  void aLogWithoutTheCollectionProvesNothing() {
    assertThatThrownBy(() -> StartUpCache.checkCollections("[0.1s][info][gc] Using Serial\n"))
        .isInstanceOf(ImageFailure.class);
  }
}
