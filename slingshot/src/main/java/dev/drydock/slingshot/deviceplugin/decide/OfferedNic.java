package dev.drydock.slingshot.deviceplugin.decide;

/**
 * A network interface as pods may get it.
 *
 * @param numaNode negative if unknown
 */
public record OfferedNic(String name, int numaNode, boolean healthy) {}
