// Rewords a refusal for lack of a role, and names a command that the user may use instead.

import GameConfAPI
import GameConfCore

enum RoleRefusal {
  /// Rewords the detail of a problem `adminOnly` or `notPermitted` for users of the command line. Returns any other problem unchanged.
  static func reworded(_ problem: Problem, of endpoint: Endpoint) -> Problem {
    var reworded = problem
    switch problem.code {
    case .adminOnly:
      reworded.detail = "--socket names the games socket, which does not serve this call. Leave it out, or name the admin socket."
    case .notPermitted:
      guard let needs = problem.extensions["needs"]?.stringValue, let uid = problem.extensions["uid"]?.integerValue else { return problem }
      reworded.detail = sentence(needs: needs, uid: uid, isTester: problem.extensions["tester"] == true, endpoint)
    default: break
    }
    return reworded
  }

  /// Returns the error message for a user who lacks the role that a call needs.
  /// - Parameter needs: The users who have the role, in words.
  static func sentence(needs: String, uid: Int64, isTester: Bool, _ endpoint: Endpoint) -> String {
    let way = isTester ? ways[endpoint.id] : nil
    return "This is for \(needs), and uid \(uid) is \(isTester ? "a tester" : "not one of them")."
      + (way.map { " For one player you may: \($0)." } ?? " Ask an admin to do it, or join the group that “gameconfctl status --all” names.")
  }

  /// For calls that testers may not make for a whole game, the advice on how to do the same for one player.
  private static let ways: [String: String] = {
    let (option, clock) = ("add --player P", "“gameconfctl player clock” moves that player's clock")
    var ways: [String: String] = [:]
    ways[Calls.putOverride.endpoint.id] = option
    ways[Calls.deleteOverride.endpoint.id] = option
    ways[Calls.releaseOverride.endpoint.id] = option
    ways[Calls.clearOverrides.endpoint.id] = option
    ways[Calls.putGameClock.endpoint.id] = clock
    ways[Calls.resetGameClock.endpoint.id] = clock
    ways[Calls.importOverrides.endpoint.id] = "every row names a player"
    return ways
  }()
}
