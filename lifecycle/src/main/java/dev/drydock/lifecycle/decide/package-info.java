/**
 * Pure decisions about LifecycleEvents: the next step of a node's claimer ({@link
 * dev.drydock.lifecycle.decide.ClaimDecider}) and of its drain driver ({@link
 * dev.drydock.lifecycle.decide.DriverDecider}), and the fate of events that no claimer handles
 * ({@link dev.drydock.lifecycle.decide.UnclaimedEvents}).
 */
package dev.drydock.lifecycle.decide;
