package dev.drydock.slingshot.deviceplugin;

import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.slingshot.deviceplugin.decide.NicCondition;
import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.DriverUpdateMarker;
import dev.drydock.slingshot.node.HandlerQuarantine;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.node.LoadedModules;
import dev.drydock.slingshot.node.decide.CxiNic;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what is wrong with the NICs of a node. */
final class NicConditions {
  private static final String CORE = LoadedModules.DRIVER.getFirst();

  private final HostRoots roots;
  private final CxiSysfs sysfs;
  private final LoadedModules modules;
  private final DriverUpdateMarker update;
  private final HandlerQuarantine quarantine;

  NicConditions(HostRoots roots) {
    this.roots = roots;
    sysfs = new CxiSysfs(roots);
    modules = new LoadedModules(roots);
    update = new DriverUpdateMarker(roots);
    quarantine = new HandlerQuarantine(roots);
  }

  List<NicCondition> read() {
    Optional<String> ofAll = ofAll();
    return sysfs.nics().stream()
        .map(
            nic ->
                new NicCondition(
                    nic.name(),
                    nic.numaNode(),
                    nic.link() != LinkState.down,
                    ofAll.or(() -> ofOne(nic))))
        .toList();
  }

  private Optional<String> ofAll() {
    if (update.isSet()) {
      return Optional.of("its driver is being replaced: " + update.reason().orElse("unknown"));
    }
    Set<String> loaded = modules.all().keySet();
    // a kernel without modules lists none
    return loaded.isEmpty() || loaded.contains(CORE)
        ? Optional.empty()
        : Optional.of("module %s is not loaded".formatted(CORE));
  }

  private Optional<String> ofOne(CxiNic nic) {
    return nic.deviceFile()
        ? quarantine.reason(nic.name()).map(reason -> "its retry handler crashed: " + reason)
        : Optional.of("%s is missing".formatted(roots.device(nic.name())));
  }
}
