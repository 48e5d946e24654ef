/**
 * <<<<<<< HEAD Pure decisions about LifecycleEvents: the next step of a node's claimer ({@link
 * dev.drydock.lifecycle.decide.ClaimDecider}), and the fate of events that no claimer handles
 * ======= Decisions about LifecycleEvents, on values only: what the claimer of a node does next
 * ({@link dev.drydock.lifecycle.decide.ClaimDecider}), what its drain driver does next ({@link
 * dev.drydock.lifecycle.decide.DriverDecider}), and what becomes of events that no claimer sees
 * >>>>>>> 12e2ca3 (Lifecycle: the package names its deciders) ({@link
 * dev.drydock.lifecycle.decide.UnclaimedEvents}).
 */
package dev.drydock.lifecycle.decide;
