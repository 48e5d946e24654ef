package dev.drydock.contracts.cxi;

/** Empty: a device is only observed. */
public record CXIDeviceSpec() {}
