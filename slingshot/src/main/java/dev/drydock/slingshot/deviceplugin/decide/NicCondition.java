package dev.drydock.slingshot.deviceplugin.decide;

import java.util.Optional;

/**
 * What is seen of a network interface at one moment.
 *
 * @param numaNode negative if unknown
 * @param linkUp true also if the state of the link is not known, as with drivers that do not show
 *     it
 * @param unusable why it cannot be used whatever its link, if so: for people
 */
public record NicCondition(String name, int numaNode, boolean linkUp, Optional<String> unusable) {}
