package dev.drydock.slingshot.deviceplugin.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreferredAllocationTest {
  /** By NUMA node; -1 is unknown. */
  private static DeviceUnits units(SharingMode mode, int capacity, int... numaNodes) {
    return new DeviceUnits(
        mode,
        capacity,
        IntStream.range(0, numaNodes.length)
            .mapToObj(i -> new OfferedNic("cxi" + i, numaNodes[i], true))
            .toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void nothingIsPreferredForNothing(int size) {
    assertThat(
            PreferredAllocation.choose(
                units(SharingMode.exclusive, 1, 0), List.of("cxi0"), List.of("cxi0"), size))
        .isEmpty();
  }

  @Nested
  class Exclusive {
    private final DeviceUnits units = units(SharingMode.exclusive, 1, 0, 1, 0, 1, -1);

    private List<String> choose(List<String> available, List<String> mustInclude, int size) {
      return PreferredAllocation.choose(units, available, mustInclude, size);
    }

    @Test
    void whatMustBeIncludedComesFirstAndIsCutToTheSize() {
      assertThat(choose(List.of("cxi0", "cxi1", "cxi2"), List.of("cxi1", "cxi2"), 1))
          .containsExactly("cxi1");
      assertThat(choose(List.of("cxi0", "cxi1", "cxi2"), List.of("cxi1"), 2))
          .startsWith("cxi1")
          .hasSize(2);
    }

    @Test
    void theNumaNodeOfWhatMustBeIncludedIsPreferred() {
      assertThat(choose(List.of("cxi0", "cxi2", "cxi3", "cxi1"), List.of("cxi1"), 2))
          .containsExactly("cxi1", "cxi3");
    }

    @Test
    void otherwiseThatOfTheFirstAvailableWithAKnownOne() {
      assertThat(choose(List.of("cxi4", "cxi1", "cxi0", "cxi3"), List.of(), 2))
          .containsExactly("cxi1", "cxi3");
    }

    @Test
    void otherNodesFillTheRestInTheGivenOrder() {
      assertThat(choose(List.of("cxi0", "cxi3", "cxi2", "cxi1"), List.of(), 4))
          .containsExactly("cxi0", "cxi2", "cxi3", "cxi1");
    }

    @Test
    void unknownDevicesHaveNoNumaNode() {
      assertThat(choose(List.of("cxi9", "cxi8", "cxi1", "cxi0", "cxi2"), List.of("cxi9"), 3))
          .as("not those of node 0, as if that were the node of the unknown one")
          .containsExactly("cxi9", "cxi1", "cxi8");
    }

    @Test
    void thereMayBeTooFew() {
      assertThat(choose(List.of("cxi0"), List.of(), 3)).containsExactly("cxi0");
    }
  }

  @Nested
  class Shared {
    private static List<String> nics(DeviceUnits units, List<String> ids) {
      return ids.stream().map(id -> units.nicOf(id).orElseThrow().name()).toList();
    }

    private static List<String> free(DeviceUnits units) {
      return units.all().stream().map(DeviceUnits.Unit::id).toList();
    }

    @Test
    void unitsAreOfDifferentInterfacesOnOneNumaNodeFirst() {
      DeviceUnits units = units(SharingMode.shared, 4, 0, 1, 0, 1);

      List<String> three = PreferredAllocation.choose(units, free(units), List.of("shared-1"), 3);

      assertThat(nics(units, three)).containsExactly("cxi1", "cxi3", "cxi0");
    }

    @Test
    void theLeastUsedInterfaceComesFirst() {
      DeviceUnits units = units(SharingMode.shared, 3, 0, 0, 0);
      List<String> free = new ArrayList<>(free(units));
      free.removeAll(List.of("shared-0", "shared-2", "shared-5"));

      assertThat(nics(units, PreferredAllocation.choose(units, free, List.of(), 3)))
          .containsExactly("cxi1", "cxi0", "cxi2");
    }

    @Test
    void aSecondUnitOfAnInterfaceComesOnlyWhenAllAreTaken() {
      DeviceUnits units = units(SharingMode.shared, 4, 0, 1);

      assertThat(nics(units, PreferredAllocation.choose(units, free(units), List.of(), 3)))
          .startsWith("cxi0", "cxi1")
          .hasSize(3);
      assertThat(
              nics(
                  units,
                  PreferredAllocation.choose(units, List.of("shared-0", "shared-2"), List.of(), 2)))
          .containsExactly("cxi0", "cxi0");
    }

    @Test
    void unknownUnitsComeLast() {
      DeviceUnits units = units(SharingMode.shared, 1, 0, 1);

      assertThat(
              PreferredAllocation.choose(
                  units, List.of("shared-9", "shared-1", "shared-0"), List.of(), 3))
          .containsExactly("shared-0", "shared-1", "shared-9");
    }

    @Test
    void inEveryStateTheContainerGetsAsManyInterfacesAsItCan() {
      Random random = new Random(17);
      for (int round = 0; round < 2_000; round++) {
        int count = 1 + random.nextInt(5);
        DeviceUnits units =
            units(SharingMode.shared, 1 + random.nextInt(4), random.ints(count, -1, 3).toArray());
        List<String> free = new ArrayList<>(free(units));
        Collections.shuffle(free, random);
        List<String> available = free.subList(0, random.nextInt(free.size() + 1));
        List<String> must =
            available.subList(0, available.isEmpty() ? 0 : random.nextInt(available.size()));
        int size = random.nextInt(6);

        List<String> chosen = PreferredAllocation.choose(units, available, must, size);

        assertThat(chosen)
            .hasSize(Math.min(size, available.size()))
            .doesNotHaveDuplicates()
            .isSubsetOf(available);
        int kept = Math.min(size, must.size());
        assertThat(chosen.subList(0, kept)).isEqualTo(must.subList(0, kept));
        Set<String> reachable = new HashSet<>(nics(units, available));
        Set<String> forced =
            new HashSet<>(nics(units, must.subList(0, Math.min(size, must.size()))));
        int others = Math.max(0, size - must.size());
        reachable.removeAll(forced);
        assertThat(new HashSet<>(nics(units, chosen)))
            .as("available %s, must %s, size %d", available, must, size)
            .hasSize(forced.size() + Math.min(others, reachable.size()));
      }
    }
  }
}
