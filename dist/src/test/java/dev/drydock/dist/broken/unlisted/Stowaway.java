package dev.drydock.dist.broken.unlisted;

/** In a module that no rule knows. */
public class Stowaway {}
