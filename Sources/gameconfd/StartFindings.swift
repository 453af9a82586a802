// The first step of a start, which --check takes too: the settings against this host, before anything is opened.

import GameConfServer
import GameConfSystemd

/// Roles, limits and modes, resolved on this host, with what is wrong about them.
struct StartFindings {
  let roles: Roles
  let room: ConnectionRoom
  /// Remarks about settings that have no effect and modes that are too wide; a start goes on.
  let warnings: [String]
  /// The warnings that a start logs: those about groups that no setting names are shown in status only.
  let logged: [String]

  init(_ settings: Settings, environment: [String: String]) {
    roles = Roles(settings)
    room = ConnectionRoom(settings, settings.serverLimits, descriptors: ConnectionRoom.raiseDescriptors())
    let modes = Self.modes(settings, environment)
    warnings = settings.warnings + room.warnings + roles.warnings + modes
    logged = settings.warnings + room.warnings + roles.namedWarnings + modes
  }

  /// Folders in which every user may exchange what the daemon reads and serves.
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
  /// The server's limits with those that are set.
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
