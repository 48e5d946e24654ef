/**
 * Pure decisions of a driver agent. {@link dev.drydock.slingshot.driver.decide.AgentDecision}
 * decides the next step for the node's driver, {@link
 * dev.drydock.slingshot.driver.decide.DkmsDecision} that of a DKMS package; each of the others
 * answers one question.
 */
package dev.drydock.slingshot.driver.decide;
