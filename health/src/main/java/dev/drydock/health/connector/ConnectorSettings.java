package dev.drydock.health.connector;

import dev.drydock.health.spool.SpoolLimits;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a connector is run.
 *
 * @param socket that monitors call
 * @param page where {@code POST /health-event} is answered, if it is
 * @param pageToken shown to the socket by that page
 */
public record ConnectorSettings(
    Path socket,
    ConnectorConfig config,
    Path spoolFolder,
    SpoolLimits limits,
    Forwarder.Target target,
    Optional<InetSocketAddress> page,
    Optional<Path> pageToken) {}
