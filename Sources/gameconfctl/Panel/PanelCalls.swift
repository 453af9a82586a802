// The calls that the panel's page may make.

import GameConfAPI
import GameConfCore

/// The part of the daemon's contract that the page uses; whatever else it asked for is refused before the daemon sees it.
enum PanelCalls {
  private static let reading: [Endpoint] = [
    Calls.games.endpoint, Calls.status.endpoint, Calls.catalog.endpoint, Calls.config.endpoint, Calls.explain.endpoint,
    Calls.overrides.endpoint, Calls.override.endpoint, Calls.playerOverride.endpoint, Calls.changes.endpoint, Calls.playerChanges.endpoint,
    Calls.audit.endpoint, Calls.players.endpoint,
    Calls.player.endpoint, Calls.plays.endpoint, Calls.play.endpoint, Calls.bests.endpoint, Calls.playerEvents.endpoint,
    Calls.themes.endpoint, Calls.playerThemes.endpoint, Calls.playerMilestones.endpoint, Calls.adStatus.endpoint,
    Calls.products.endpoint, Calls.entitlements.endpoint, Calls.transactions.endpoint, Calls.storeLog.endpoint,
    Calls.storeBehaviour.endpoint, Calls.gameClock.endpoint, Calls.playerClock.endpoint, Calls.scenarios.endpoint,
    Calls.scenario.endpoint, Calls.templateVersions.endpoint, Calls.templateVersion.endpoint,
  ]
  private static let changing: [Endpoint] = [
    Calls.putOverride.endpoint, Calls.deleteOverride.endpoint, Calls.putPlayerOverride.endpoint, Calls.deletePlayerOverride.endpoint,
    Calls.clearOverrides.endpoint, Calls.revert.endpoint, Calls.revertMany.endpoint, Calls.patchPlayer.endpoint,
    Calls.forgetPlayer.endpoint,
    Calls.putContext.endpoint, Calls.putSetting.endpoint, Calls.deleteSetting.endpoint, Calls.recordEvent.endpoint,
    Calls.openVisit.endpoint, Calls.reportAd.endpoint, Calls.resetAds.endpoint, Calls.forceAd.endpoint, Calls.openPlay.endpoint,
    Calls.closePlay.endpoint, Calls.beginScenario.endpoint, Calls.endScenario.endpoint, Calls.renewScenario.endpoint,
    Calls.putGameClock.endpoint, Calls.putPlayerClock.endpoint, Calls.activateTemplate.endpoint, Calls.rollbackTemplate.endpoint,
  ]
  private static let store: [Endpoint] = [
    Calls.purchase.endpoint, Calls.restorePurchases.endpoint, Calls.finishTransaction.endpoint, Calls.grant.endpoint,
    Calls.deleteTransaction.endpoint, Calls.clearTransactions.endpoint, Calls.putStoreBehaviour.endpoint, Calls.switchPremium.endpoint,
    Calls.refund.endpoint, Calls.refundDecline.endpoint, Calls.revoke.endpoint, Calls.expire.endpoint, Calls.renew.endpoint,
    Calls.cancelRenewal.endpoint, Calls.renewalOn.endpoint, Calls.billingRetry.endpoint, Calls.recover.endpoint, Calls.approve.endpoint,
    Calls.decline.endpoint, Calls.resolve.endpoint, Calls.changePrice.endpoint, Calls.acceptPrice.endpoint,
  ]
  private static let shapes: [(endpoint: Endpoint, path: [Substring])] = (reading + changing + store).map {
    ($0, $0.path.split(separator: "/", omittingEmptySubsequences: false))
  }

  /// The call of the contract that the page makes; nil for one that it may not make.
  /// - Parameter target: path and query, percent-encoded.
  static func endpoint(_ method: Method, _ target: String) -> Endpoint? {
    let path = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    return shapes.first { shape in
      shape.endpoint.method == method && shape.path.count == path.count
        && zip(shape.path, path).allSatisfy { wanted, given in wanted.hasPrefix("{") ? !given.isEmpty : wanted == given }
    }?.endpoint
  }

  /// The calls that a user may not make, each with the sentence of the command line.
  /// - Parameter caller: the user, as the daemon's status names it.
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
      (changing + store).compactMap { endpoint in
        let isOfPlayer = endpoint.path.contains("{player}")
        guard let holders = mayNot(endpoint.needs, isAboutPlayer: isOfPlayer) else { return nil }
        let words = RoleRefusal.sentence(needs: holders, uid: caller.uid, isTester: roles.contains("tester"), endpoint)
        var refusal: ObjectValue = ObjectValue([
          ("method", .string(endpoint.method.rawValue)), ("path", .string(endpoint.path)), ("words", .string(words)),
        ])
        // A line of the audit log may be about a player, which its path does not say.
        if mayNot(endpoint.needs, isAboutPlayer: true) == nil { refusal["besides_players"] = true }
        return .object(refusal)
      })
  }

  /// The game that a target is about; nil when it names none.
  static func game(of target: String) -> String? {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    return path.count > 2 && path[0] == "v1" && path[1] == "games" ? String(path[2]) : nil
  }
}
