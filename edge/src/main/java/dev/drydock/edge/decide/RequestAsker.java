package dev.drydock.edge.decide;

import java.time.Duration;

/**
 * The process that asks for an operation. It waits until an agent has taken its request, and
 * withdraws it otherwise.
 *
 * @param pid as it is in its namespace
 * @param started in the kernel's ticks since the boot; a later process with the same pid has others
 * @param namespace of the pid
 * @param uptime of the machine when it asked; unlike the clock it does not jump
 * @param waits how long it waits for an agent
 */
public record RequestAsker(
    long pid, long started, String namespace, Duration uptime, Duration waits) {}
