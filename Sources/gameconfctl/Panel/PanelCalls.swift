// The calls that the panel's page may make.

import GameConfAPI

/// The part of the daemon's contract that the page uses; whatever else it asked for is refused before the daemon sees it.
enum PanelCalls {
  private static let reading: [Endpoint] = [
    Calls.games.endpoint, Calls.status.endpoint, Calls.catalog.endpoint, Calls.config.endpoint, Calls.explain.endpoint,
    Calls.overrides.endpoint, Calls.changes.endpoint, Calls.playerChanges.endpoint, Calls.audit.endpoint, Calls.players.endpoint,
    Calls.player.endpoint, Calls.plays.endpoint, Calls.play.endpoint, Calls.bests.endpoint, Calls.playerEvents.endpoint,
    Calls.themes.endpoint, Calls.playerThemes.endpoint, Calls.playerMilestones.endpoint, Calls.adStatus.endpoint,
    Calls.products.endpoint, Calls.entitlements.endpoint, Calls.transactions.endpoint, Calls.storeLog.endpoint,
    Calls.storeBehaviour.endpoint, Calls.gameClock.endpoint, Calls.playerClock.endpoint, Calls.scenarios.endpoint,
    Calls.scenario.endpoint, Calls.templateVersions.endpoint,
  ]
  private static let changing: [Endpoint] = [
    Calls.putOverride.endpoint, Calls.deleteOverride.endpoint, Calls.putPlayerOverride.endpoint, Calls.deletePlayerOverride.endpoint,
    Calls.clearOverrides.endpoint, Calls.revert.endpoint, Calls.patchPlayer.endpoint, Calls.forgetPlayer.endpoint,
    Calls.putContext.endpoint, Calls.putSetting.endpoint, Calls.deleteSetting.endpoint, Calls.recordEvent.endpoint,
    Calls.openVisit.endpoint, Calls.reportAd.endpoint, Calls.resetAds.endpoint, Calls.forceAd.endpoint, Calls.openPlay.endpoint,
    Calls.closePlay.endpoint, Calls.beginScenario.endpoint, Calls.endScenario.endpoint, Calls.renewScenario.endpoint,
    Calls.putGameClock.endpoint, Calls.putPlayerClock.endpoint,
  ]
  private static let store: [Endpoint] = [
    Calls.purchase.endpoint, Calls.restorePurchases.endpoint, Calls.finishTransaction.endpoint, Calls.grant.endpoint,
    Calls.deleteTransaction.endpoint, Calls.clearTransactions.endpoint, Calls.putStoreBehaviour.endpoint, Calls.switchPremium.endpoint,
    Calls.refund.endpoint, Calls.refundDecline.endpoint, Calls.revoke.endpoint, Calls.expire.endpoint, Calls.renew.endpoint,
    Calls.cancelRenewal.endpoint, Calls.renewalOn.endpoint, Calls.billingRetry.endpoint, Calls.recover.endpoint, Calls.approve.endpoint,
    Calls.decline.endpoint, Calls.resolve.endpoint, Calls.changePrice.endpoint, Calls.acceptPrice.endpoint,
  ]
  private static let shapes: [(method: Method, path: [Substring])] = (reading + changing + store).map {
    ($0.method, $0.path.split(separator: "/", omittingEmptySubsequences: false))
  }

  /// True if the page may make this call.
  /// - Parameter target: path and query, percent-encoded.
  static func admit(_ method: Method, _ target: String) -> Bool {
    let path = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    return shapes.contains { shape in
      shape.method == method && shape.path.count == path.count
        && zip(shape.path, path).allSatisfy { wanted, given in wanted.hasPrefix("{") ? !given.isEmpty : wanted == given }
    }
  }

  /// The game that a target is about; nil when it names none.
  static func game(of target: String) -> String? {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    return path.count > 2 && path[0] == "v1" && path[1] == "games" ? String(path[2]) : nil
  }
}
