// The calls that the panel's page may make.

import GameConfAPI
import GameConfCore

/// The subset of the daemon's contract that the page uses. Any other request is refused before it reaches the daemon.
enum PanelCalls {
  private static let shapes: [(endpoint: Endpoint, path: [Substring])] = Calls.panel.map {
    ($0, $0.path.split(separator: "/", omittingEmptySubsequences: false))
  }

  /// Returns the contract's call for the page's request; nil for a call that the page may not make.
  /// - Parameter target: The path and query, percent-encoded.
  static func endpoint(_ method: Method, _ target: String) -> Endpoint? {
    let path = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    return shapes.first { shape in
      shape.endpoint.method == method && shape.path.count == path.count
        && zip(shape.path, path).allSatisfy { wanted, given in wanted.hasPrefix("{") ? !given.isEmpty : wanted == given }
    }?.endpoint
  }

  /// Returns the calls that a user may not make, each with the command line's sentence.
  /// - Parameter caller: The user, as the daemon's status names it.
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
        // A line of the audit log may be about a player, which its path does not show.
        if mayNot(endpoint.needs, isAboutPlayer: true) == nil { refusal["besides_players"] = true }
        return .object(refusal)
      })
  }

  /// Returns the game that a target is about; nil if it names no game.
  static func game(of target: String) -> String? {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    return path.count > 2 && path[0] == "v1" && path[1] == "games" ? String(path[2]) : nil
  }
}
