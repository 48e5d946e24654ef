/** Values about a node's hardware and driver that decisions use. */
package dev.drydock.slingshot.node.decide;
