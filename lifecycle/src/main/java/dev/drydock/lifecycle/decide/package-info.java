/**
 * Decisions about LifecycleEvents, on values only: what the claimer of a node does next ({@link
 * dev.drydock.lifecycle.decide.ClaimDecider}), and what becomes of events that no claimer sees
 * ({@link dev.drydock.lifecycle.decide.UnclaimedEvents}).
 */
package dev.drydock.lifecycle.decide;
