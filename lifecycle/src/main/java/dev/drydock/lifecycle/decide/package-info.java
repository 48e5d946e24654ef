/**
 * Pure decisions about LifecycleEvents: the next step of a node's claimer ({@link
 * dev.drydock.lifecycle.decide.ClaimDecider}) and of its drain driver ({@link
 * dev.drydock.lifecycle.decide.DriverDecider}), and the fate of events that no claimer handles
 * ({@link dev.drydock.lifecycle.decide.UnclaimedEventDecision}).
 */
package dev.drydock.lifecycle.decide;
