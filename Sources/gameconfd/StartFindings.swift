// Resolves the settings on this host without opening anything. It is the first step of a start and of `--check`.

import GameConfServer
import GameConfSystemd

/// The roles and limits of the settings, resolved on this host, with warnings.
struct StartFindings {
  let roles: ResolvedRoles
  let quota: ConnectionQuota
  /// All warnings, for the daemon's status: about settings without effect and about folders that other users may change. The daemon starts
  /// all the same.
  let warnings: [String]
  /// The warnings that a start logs: all except those about default groups that do not exist.
  let logged: [String]

  init(_ settings: Settings, environment: [String: String]) {
    roles = ResolvedRoles(settings)
    quota = ConnectionQuota(settings, settings.serverLimits, descriptors: ConnectionQuota.raiseDescriptors())
    let modes = Self.modes(settings, environment)
    warnings = settings.warnings + quota.warnings + roles.warnings + modes
    logged = settings.warnings + quota.warnings + roles.namedWarnings + modes
  }

  /// Returns warnings about folders whose modes let every user replace files that the daemon reads and serves.
  private static func modes(_ settings: Settings, _ environment: [String: String]) -> [String] {
    let folders = [
      ("the state directory", settings.stateFolder(environment: environment)),
      ("the runtime directory", settings.runtimeFolder(environment: environment)),
    ]
    return folders.compactMap { name, path in
      FileAccess.complaint(about: path, as: .folder).map { "\(name) \(path): \($0)" }
    }
  }
}

extension Settings {
  /// The server's default limits, with the configured ones in their place.
  var serverLimits: ServerLimits {
    var server = ServerLimits()
    if let value = limits[.connectionsMax] { server.connectionsMax = value }
    if let value = limits[.connectionsPerUIDMax] { server.connectionsPerUserMax = value }
    if let value = limits[.bodyBytesMax] { server.bodyBytesMax = value }
    if let value = limits[.headerTimeoutSeconds] { server.headerTimeoutSeconds = value }
    if let value = limits[.idleTimeoutSeconds] { server.idleTimeoutSeconds = value }
    return server
  }
}
