package dev.drydock.maintenance.decide;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The right to create Jobs, which the operator has only in namespaces where its role is bound. */
public final class JobPermission {
  /**
   * How the API server says that a right is missing; it also answers 403 for quotas and policies.
   */
  private static final Pattern MISSING =
      Pattern.compile("User \"([^\"]+)\" cannot create resource \"jobs\"");

  private static final String ACCOUNT = "system:serviceaccount:";

  private JobPermission() {}

  /** The command that gives it, if the API server refused a Job because it is missing. */
  public static Optional<String> command(String refusal, String namespace) {
    Matcher missing = MISSING.matcher(refusal);
    return missing.find()
        ? Optional.of(
            "kubectl create rolebinding drydock-operator-jobs -n %s --clusterrole=drydock-operator-jobs %s"
                .formatted(namespace, subject(missing.group(1))))
        : Optional.empty();
  }

  private static String subject(String user) {
    return user.startsWith(ACCOUNT)
        ? "--serviceaccount=" + user.substring(ACCOUNT.length())
        : "--user=" + user;
  }
}
