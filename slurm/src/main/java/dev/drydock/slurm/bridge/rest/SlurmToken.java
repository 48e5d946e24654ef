package dev.drydock.slurm.bridge.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import dev.drydock.slurm.bridge.SlurmFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * The token that is shown to slurmrestd, read anew for each request: whoever renews it only
 * replaces the file.
 */
record SlurmToken(Path file) {
  /**
   * The token, also as {@code scontrol token} prints it.
   *
   * @throws SlurmFailure if there is none
   */
  String read() {
    try {
      String token = Files.readString(file).strip().replaceFirst("^SLURM_JWT=", "");
      if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new SlurmFailure("%s does not contain a token".formatted(file));
      }
      return token;
    } catch (NoSuchFileException missing) {
      throw new SlurmFailure("cannot read the token file %s: there is none".formatted(file));
    } catch (IOException unreadable) {
      throw new SlurmFailure(
          "cannot read the token file %s: %s".formatted(file, unreadable.getMessage()));
    }
  }

  /** What is wrong with a token that Slurm refused. */
  String problem(String token, Instant now) {
    return expiry(token)
        .filter(end -> !end.isAfter(now))
        .map(
            end ->
                "the token in %s expired at %s; renew it with: scontrol token".formatted(file, end))
        .orElseGet(
            () ->
                "Slurm does not accept the token in %s for this user; make one with: scontrol token username=USER"
                    .formatted(file));
  }

  /** The second part of a JWT says when it ends. */
  private static Optional<Instant> expiry(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      byte[] claims = Base64.getUrlDecoder().decode(parts[1]);
      JsonNode end = Json.read(claims, claims.length).path("exp");
      return end.isNumber() ? Optional.of(Instant.ofEpochSecond(end.asLong())) : Optional.empty();
    } catch (IOException | IllegalArgumentException noJwt) {
      return Optional.empty();
    }
  }
}
