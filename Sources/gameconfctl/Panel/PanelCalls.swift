// The calls that the panel's page may make.

import GameConfAPI
import GameConfCore

/// The calls of the daemon's API that the panel's page uses. The panel refuses any other request itself.
enum PanelCalls {
  private static let shapes: [(endpoint: Endpoint, path: [Substring])] = Calls.panel.map {
    ($0, $0.path.split(separator: "/", omittingEmptySubsequences: false))
  }

  /// Returns the call that a request of the page makes; nil if the page may not make it.
  /// - Parameter target: The path and query, percent-encoded.
  static func endpoint(_ method: Method, _ target: String) -> Endpoint? {
    let path = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    return shapes.first { shape in
      shape.endpoint.method == method && shape.path.count == path.count
        && zip(shape.path, path).allSatisfy { wanted, given in wanted.hasPrefix("{") ? !given.isEmpty : wanted == given }
    }?.endpoint
  }

  /// Returns the calls that a user may not make, each with the sentence in which gameconfctl refuses it.
  /// - Parameter caller: The user, from the daemon's status.
  static func refusals(for caller: StatusCaller) -> Value {
    let roles = Set(caller.roles)
    func mayNot(_ needs: Endpoint.RequiredRole, isAboutPlayer: Bool) -> String? {
      guard !roles.contains("admin"), let holders = needs.holders(isAboutPlayer: isAboutPlayer) else { return nil }
      let isEnough: Bool =
        switch needs {
        case .publisher: roles.contains("publisher")
        case .tester, .testerWith, .testerForPlayer, .asBegun: roles.contains("tester") && holders.hasPrefix("tester")
        case .anyone, .admin: false
        }
      return isEnough ? nil : holders
    }
    return .list(
      Calls.panel.filter { $0.changes != nil }.compactMap { endpoint in
        let isOfPlayer = endpoint.path.contains("{player}")
        guard let holders = mayNot(endpoint.needs, isAboutPlayer: isOfPlayer) else { return nil }
        let words = RoleRefusal.sentence(needs: holders, uid: caller.uid, isTester: roles.contains("tester"), endpoint)
        var refusal: ObjectValue = ObjectValue([
          ("method", .string(endpoint.method.rawValue)), ("path", .string(endpoint.path)), ("words", .string(words)),
        ])
        // A call about an audit entry may be about a player although the call's path names no player. So the user may have the role for
        // some entries.
        if mayNot(endpoint.needs, isAboutPlayer: true) == nil { refusal["besides_players"] = true }
        return .object(refusal)
      })
  }

  /// Returns the game that a target names; nil if it names no game.
  static func game(of target: String) -> String? {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    return path.count > 2 && path[0] == "v1" && path[1] == "games" ? String(path[2]) : nil
  }
}
