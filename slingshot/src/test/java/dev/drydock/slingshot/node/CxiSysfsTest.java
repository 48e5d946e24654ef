package dev.drydock.slingshot.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDeviceStatus.FunctionType;
import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.decide.CxiNic;
import dev.drydock.slingshot.node.decide.NicAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CxiSysfsTest {
  @TempDir private Path root;
  private FakeNics nics;

  @BeforeEach
  void create() throws IOException {
    nics = FakeNics.create(root, FakeNics.KERNEL, Clock.systemUTC());
  }

  private CxiNic only() {
    assertThat(nics.sysfs().nics()).hasSize(1);
    return nics.sysfs().nics().getFirst();
  }

  @Test
  void aMachineWithoutTheDriverHasNoNics(@TempDir Path empty) {
    assertThat(new CxiSysfs(HostRoots.below(empty)).nics()).isEmpty();
  }

  @Test
  void aNicHasWhatItsFilesSay() throws IOException {
    nics.add(FakeNic.numbered(3));
    CxiNic nic = only();
    assertThat(nic.name()).isEqualTo("cxi3");
    assertThat(nic.number()).isEqualTo(3);
    assertThat(nic.pciAddress()).isEqualTo("0000:44:00.0");
    assertThat(nic.pciId()).isEqualTo("1590:0371");
    assertThat(nic.type()).isEqualTo(FunctionType.pf);
    assertThat(nic.numaNode()).isEqualTo(1);
    assertThat(nic.nid()).hasValue(0x12343);
    assertThat(nic.switchId(0)).hasValue(0x12340);
    assertThat(nic.isUp()).isTrue();
    assertThat(nic.speed()).contains("400Gbps");
    assertThat(nic.generation()).hasValue(2);
    assertThat(nic.driverRevision()).isEqualTo("fake");
    assertThat(nic.firmware()).isEqualTo("1.0.0");
    assertThat(nic.mac()).isEqualTo("02:00:00:01:23:43");
    assertThat(nic.deviceFile()).isTrue();
    assertThat(nic.errors().pcieUncorrectable()).hasValue(0);
    assertThat(nic.errors().linkRestarts()).isEmpty();
  }

  @Test
  void theFirstGenerationIsOfAnotherVendor() throws IOException {
    nics.add(FakeNic.numbered(0).withGeneration(1));
    assertThat(only().pciId()).isEqualTo("17db:0501");
    assertThat(only().generation()).hasValue(1);
    assertThat(only().speed()).contains("200Gbps");
  }

  @Test
  void virtualFunctionsAreKnownByTheirIdOrTheirPhysicalFunction() throws IOException {
    nics.add(FakeNic.numbered(0));
    nics.set("cxi0", "device", "0x0372");
    nics.add(FakeNic.numbered(1));
    nics.set("cxi1", "physfn/vendor", "0x1590");
    assertThat(nics.sysfs().nics()).extracting(CxiNic::type).containsOnly(FunctionType.vf);
  }

  @Test
  void whatCannotBeReadIsUnknown() throws IOException {
    nics.add(FakeNic.numbered(0));
    for (String file :
        new String[] {
          "numa_node",
          "properties/nid",
          "properties/link",
          "properties/speed",
          "properties/cassini_version"
        }) {
      nics.set("cxi0", file, "?");
    }
    Files.delete(root.resolve("dev/cxi0"));
    CxiNic nic = only();
    assertThat(nic.numaNode()).isEqualTo(-1);
    assertThat(nic.nid()).isEmpty();
    assertThat(nic.switchId(0)).isEmpty();
    assertThat(nic.link()).isEqualTo(LinkState.unknown);
    assertThat(nic.speed()).isEmpty();
    assertThat(nic.generation()).isEmpty();
    assertThat(nic.deviceFile()).isFalse();
  }

  @Test
  void nicsComeInTheOrderOfTheirNumbersAndOthersAreIgnored() throws IOException {
    for (int number : new int[] {10, 2, 0}) {
      nics.add(FakeNic.numbered(number));
    }
    for (String other : List.of("other0", "cxi", "cxi-b-cxi0", "cxi1234567")) {
      Files.createDirectories(nics.sysfs().folder().resolve(other));
    }
    Files.writeString(nics.sysfs().folder().resolve("cxi_file"), "");
    assertThat(nics.sysfs().nics())
        .extracting(CxiNic::name)
        .containsExactly("cxi0", "cxi2", "cxi10");
  }

  @Test
  void aLinkThatComesBackIsRemembered() throws IOException {
    nics.add(FakeNic.numbered(0));
    nics.link("cxi0", false);
    assertThat(only().link()).isEqualTo(LinkState.down);
    assertThat(only().speed()).isEmpty();
    nics.link("cxi0", true);
    assertThat(only().isUp()).isTrue();
    assertThat(only().errors().linkRestarts()).hasSize(1);
  }

  @Test
  void aNicThatGoesIsGoneWithItsDeviceFile() throws IOException {
    nics.add(FakeNic.numbered(0));
    nics.add(FakeNic.numbered(1));
    nics.remove("cxi0");
    assertThat(only().name()).isEqualTo("cxi1");
    assertThat(root.resolve("dev/cxi0")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "0x1234F, 74575",
    "0X1234f, 74575",
    "74575, 74575",
    "0, 0",
    "0xffffffff, -1",
    "4294967295, -1",
    "-5, -1",
    "0x, -1",
    "none, -1",
    "99999999999999999999, -1"
  })
  void addressesAreHexadecimalOrDecimal(String text, int nid) {
    assertThat(NicAddress.parse(text))
        .isEqualTo(nid < 0 ? OptionalInt.empty() : OptionalInt.of(nid));
  }

  @ParameterizedTest
  @CsvSource({"0x1234F, 0, 0x12340", "0x3f, 0, 0x0", "0xfffff, 0, 0xfffc0", "0x1234F, 0xff, 0x4F"})
  void theSwitchIsAPartOfTheAddress(String nid, String mask, String id) {
    assertThat(NicAddress.switchId(Integer.decode(nid), Integer.decode(mask)))
        .isEqualTo(Integer.decode(id));
  }
}
