package dev.drydock.slingshot.deviceplugin.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceUnitsTest {
  private static List<OfferedNic> nics(int count) {
    return IntStream.range(0, count).mapToObj(i -> new OfferedNic("cxi" + i, i, true)).toList();
  }

  private static List<String> ids(DeviceUnits units) {
    return units.all().stream().map(DeviceUnits.Unit::id).toList();
  }

  @ParameterizedTest
  @EnumSource(SharingMode.class)
  void withoutInterfacesThereIsNothing(SharingMode mode) {
    DeviceUnits units = new DeviceUnits(mode, 100, List.of());

    assertThat(units.all()).isEmpty();
    assertThat(units.nicOf("shared-0")).isEmpty();
    assertThat(units.nicOf("cxi0")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16})
  void exclusivelyADeviceIsAnInterface(int count) {
    DeviceUnits units = new DeviceUnits(SharingMode.exclusive, 100, nics(count));

    assertThat(ids(units))
        .containsExactlyElementsOf(nics(count).stream().map(OfferedNic::name).toList());
    assertThat(units.all()).allMatch(unit -> units.nicOf(unit.id()).equals(of(unit)));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 100", "3, 4", "16, 1000"})
  void sharedEachInterfaceHasItsCapacityAndNeighboursDiffer(int count, int capacity) {
    DeviceUnits units = new DeviceUnits(SharingMode.shared, capacity, nics(count));

    assertThat(ids(units))
        .containsExactlyElementsOf(
            IntStream.range(0, count * capacity).mapToObj(i -> "shared-" + i).toList());
    Map<String, Long> perNic =
        units.all().stream()
            .collect(Collectors.groupingBy(unit -> unit.nic().name(), Collectors.counting()));
    assertThat(perNic).hasSize(count);
    assertThat(perNic.values()).containsOnly((long) capacity);
    assertThat(units.all().subList(0, count)).doesNotHaveDuplicates();
    assertThat(units.all()).allMatch(unit -> units.nicOf(unit.id()).equals(of(unit)));
    assertThat(ids(units)).allMatch(id -> id.length() <= 63);
  }

  private static Optional<OfferedNic> of(DeviceUnits.Unit unit) {
    return Optional.of(unit.nic());
  }

  @Test
  void interfacesAreInTheOrderOfTheirNumbers() {
    List<OfferedNic> mixed =
        List.of(
            new OfferedNic("cxi10", 0, true),
            new OfferedNic("cxiother", 0, true),
            new OfferedNic("cxi2", 0, true),
            new OfferedNic("cxi0", 0, true));

    assertThat(ids(new DeviceUnits(SharingMode.exclusive, 1, mixed)))
        .containsExactly("cxi0", "cxi2", "cxi10", "cxiother");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shared-8", "shared-00", "shared--1", "shared-", "cxi0", "", "shared-99999999999"})
  void otherIdsAreUnknownWhenShared(String id) {
    assertThat(new DeviceUnits(SharingMode.shared, 4, nics(2)).nicOf(id)).isEmpty();
  }

  @Test
  void anInterfaceThatIsNotHealthyKeepsItsUnits() {
    DeviceUnits units =
        new DeviceUnits(
            SharingMode.shared,
            2,
            List.of(new OfferedNic("cxi0", 0, true), new OfferedNic("cxi1", 1, false)));

    assertThat(units.all().stream().filter(unit -> !unit.nic().healthy()).map(DeviceUnits.Unit::id))
        .containsExactly("shared-1", "shared-3");
    assertThat(units.all()).hasSize(4);
  }
}
