// The version of this release, which the C header of the client library defines.

internal import CGameConfHeader

/// The version of the daemon, of its commands and of the HTTP contract, which are built together.
public enum ReleaseVersion {
  /// The version in the form of semantic versioning, such as 1.2.3.
  public static let version = GAMECONF_VERSION
}
