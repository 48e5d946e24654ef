package dev.drydock.health.customdrain.decide;

/**
 * A drain that is left to another controller.
 *
 * @param event that it is for
 * @param episode of the quarantine
 * @param scope the device whose pods are to go; empty for all pods
 */
public record CustomDrainTask(String node, String event, String episode, String scope) {}
