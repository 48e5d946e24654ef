package dev.drydock.slingshot.deviceplugin.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationTest {
  private static final List<OfferedNic> NICS =
      List.of(
          new OfferedNic("cxi0", 0, true),
          new OfferedNic("cxi1", 1, true),
          new OfferedNic("cxi2", 1, false));
  private static final DeviceUnits EXCLUSIVE = new DeviceUnits(SharingMode.exclusive, 1, NICS);
  private static final DeviceUnits SHARED = new DeviceUnits(SharingMode.shared, 3, NICS);

  @Test
  void oneInterfaceIsNamed() {
    assertThat(Allocation.of(EXCLUSIVE, List.of("cxi1")))
        .isEqualTo(
            new Allocation.Granted(
                List.of("cxi1"), Map.of("CXI_DEVICE_COUNT", "1", "CXI_DEVICE", "cxi1")));
  }

  @Test
  void severalInterfacesAreCounted() {
    assertThat(Allocation.of(EXCLUSIVE, List.of("cxi1", "cxi0")))
        .isEqualTo(
            new Allocation.Granted(List.of("cxi1", "cxi0"), Map.of("CXI_DEVICE_COUNT", "2")));
  }

  @Test
  void unitsOfOneInterfaceAreThisInterfaceOnce() {
    assertThat(Allocation.of(SHARED, List.of("shared-0", "shared-3", "shared-6")))
        .isEqualTo(
            new Allocation.Granted(
                List.of("cxi0"), Map.of("CXI_DEVICE_COUNT", "1", "CXI_DEVICE", "cxi0")));
  }

  @Test
  void unitsOfTwoInterfacesAreBoth() {
    assertThat(Allocation.of(SHARED, List.of("shared-4", "shared-0")))
        .isEqualTo(
            new Allocation.Granted(List.of("cxi1", "cxi0"), Map.of("CXI_DEVICE_COUNT", "2")));
  }

  @Test
  void nothingIsGrantedForNothing() {
    assertThat(Allocation.of(SHARED, List.of()))
        .isEqualTo(new Allocation.Granted(List.of(), Map.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cxi3", "shared-0", ""})
  void anUnknownDeviceIsRefusedWithAllOthers(String id) {
    assertThat(Allocation.of(EXCLUSIVE, List.of("cxi0", id)))
        .isEqualTo(new Allocation.Refused("there is no device %s on this node".formatted(id)));
  }

  @Test
  void anUnhealthyDeviceIsRefused() {
    assertThat(Allocation.of(SHARED, List.of("shared-0", "shared-5")))
        .isEqualTo(new Allocation.Refused("device shared-5 is unhealthy: cxi2"));
  }
}
