// The mark of the calls that assistants may make, as the tools of gameconfctl mcp.

extension Calls {
  /// The calls that are tools, in the order in which they are listed.
  ///
  /// Deletions, clears, resets, restores, clock moves, pushes, rollbacks and imports are in neither list.
  package static let tools: [Endpoint] = [
    games.endpoint, status.endpoint, catalog.endpoint, config.endpoint, value.endpoint, explain.endpoint, simulate.endpoint,
    changes.endpoint, playerChanges.endpoint, overrides.endpoint, audit.endpoint, auditEntry.endpoint, players.endpoint,
    player.endpoint, playerEvents.endpoint, leaderboard.endpoint, entitlements.endpoint, transactions.endpoint, products.endpoint,
    putOverride.endpoint, putPlayerOverride.endpoint, patchPlayer.endpoint, putSetting.endpoint, grant.endpoint, revert.endpoint,
  ]

  /// The calls that are tools with `--all` too.
  package static let furtherTools: [Endpoint] = [
    healthReady.endpoint, evaluateConfig.endpoint, evaluateValue.endpoint, evaluateExplain.endpoint, override.endpoint,
    playerOverride.endpoint, exportOverrides.endpoint, templateVersions.endpoint, bests.endpoint, plays.endpoint, play.endpoint,
    themes.endpoint, theme.endpoint, playerThemes.endpoint, playerTheme.endpoint, playerMilestones.endpoint, adStatus.endpoint,
    offerings.endpoint, transaction.endpoint, storeLog.endpoint, storeBehaviour.endpoint, checkGate.endpoint, gameClock.endpoint,
    playerClock.endpoint, scenarios.endpoint, scenario.endpoint, releaseOverride.endpoint, releasePlayerOverride.endpoint,
    live.endpoint, recordEvent.endpoint, openVisit.endpoint, reportAd.endpoint, forceAd.endpoint, openPlay.endpoint, closePlay.endpoint,
    purchase.endpoint, switchPremium.endpoint, finishTransaction.endpoint, putStoreBehaviour.endpoint, putContext.endpoint,
  ]
}
