// The version of this release.

/// The version of daemon, command and contract, which are built together.
public enum ReleaseVersion {
  /// As semantic versioning has it.
  public static let version = "0.1.0"
}
