package dev.drydock.maintenance.command;

import dev.drydock.drain.DrainFeature;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.campaign.CampaignController;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.NoticeSink;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.testkit.CommandFixture;
import java.time.Duration;
import java.util.List;

/** The controllers that an operator runs for the commands of maintenances and campaigns. */
public final class CommandOperator {
  private CommandOperator() {}

  /** Until the end of the test; it obeys the cord in the test's namespace. */
  public static DrainEngine start(CommandFixture fixture) {
    Kube kube = fixture.process().kube();
    DrainEngine engine = new DrainEngine(kube, DrainEngine.Options.DEFAULT);
    CampaignController campaigns =
        new CampaignController(
            kube, new CampaignController.Settings(fixture.namespace(), List.of()), engine::stopped);
    MaintenanceController maintenances =
        new MaintenanceController(
            kube,
            new MaintenanceInput.Rules(Duration.ofHours(5), false),
            new MaintenanceController.Dependencies(
                engine, campaigns, NoticeSink.NONE, MaintenanceController.Watcher.NONE));
    fixture.closeAtTheEnd(engine::close);
    fixture.closeAtTheEnd(maintenances::close);
    fixture.closeAtTheEnd(campaigns::close);
    new AndonCord(kube, fixture.namespace())
        .govern(
            engine,
            () -> {
              maintenances.resync("");
              campaigns.resync();
            });
    DrainFeature.serve(
        engine,
        ServedRequests.NAMED,
        List.of(DrainRequestController.HOLD_OWNER, MaintenanceController.HOLD_OWNER));
    campaigns.serve(maintenances);
    maintenances.start();
    return engine;
  }
}
