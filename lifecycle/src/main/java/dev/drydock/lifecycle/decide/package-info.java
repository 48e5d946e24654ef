/**
 * Pure decisions about LifecycleEvents: the next step of a node's claimer ({@link
 * dev.drydock.lifecycle.decide.ClaimDecider}), and the fate of events that no claimer handles
 * ({@link dev.drydock.lifecycle.decide.UnclaimedEvents}).
 */
package dev.drydock.lifecycle.decide;
