// The version of this release, which is written in the library's header.

internal import CGameConfHeader

/// The version of daemon, command and contract, which are built together.
public enum ReleaseVersion {
  /// The version in the form of semantic versioning.
  public static let version = GAMECONF_VERSION
}
