/**
 * Pure decisions about drains that gate reboot, shutdown and OS update. {@link
 * dev.drydock.edge.decide.EdgeDecider} decides the next step of a drain; {@link
 * dev.drydock.edge.decide.OperationGate} says whether an operation may go; each of the others
 * answers one question.
 */
package dev.drydock.edge.decide;
