package dev.drydock.slingshot.node.decide;

import java.util.List;

/**
 * A kernel module that is loaded.
 *
 * @param name with underscores
 * @param uses by other modules and by open devices; -1 if unknown
 * @param holders the modules that use it
 */
public record LoadedModule(String name, int uses, List<String> holders) {}
