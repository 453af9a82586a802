// Advice for undoing changes that the audit log cannot revert.

import GameConfStorage

extension AuditAction {
  /// The advice for undoing a change by another way than a revert; nil for a change of an override, which can be reverted, and for the
  /// daemon's own acts.
  var wayBack: String? {
    switch act {
    case .overrideSet, .overrideRemoved, .overrideCleared, .overrideImported, .overrideQuarantined, .overrideReleased, .overrideReverted,
      .windowAdded, .windowChanged, .windowOpened, .windowEnded, .windowPostponed:
      nil
    case .playerScores: "“gameconfctl player score” sets the scores again; unlocked milestones stay."
    case .playerSetting: "“gameconfctl player settings” sets it again, or with --reset removes it."
    case .playerEvent, .playerVisit, .playerContext, .playerAliased, .bestsRemoved, .playOpened, .playClosed, .adReport:
      "“gameconfctl player reset” makes the player new again."
    case .adReset, .adForce: "“gameconfctl ads reset” and “ads force” set the placement again."
    case .playerReset, .playerForgotten, .playerCopied, .rowsRemoved:
      "It is only in a backup of the database; “gameconfctl store copies” lists the copies on this host."
    case .playerClockSet: "“gameconfctl player clock … reset” goes back to the game's time."
    case .clockSet: "“gameconfctl iap clock … reset” goes back to the host's time and clears simulated purchases."
    case .clockReset, .storeRestored, .storeRebuilt:
      "The previous database was moved aside: “gameconfctl store copies” lists it, “store restore” restores it."
    case .premiumSwitched: "“gameconfctl iap premium” switches it back."
    case .purchasesTransferred: "“gameconfctl iap restore --from” moves the purchases back."
    case .templateActivated, .templateRolledBack, .templatePushed, .templateFetchRequested:
      "“gameconfctl template rollback” restores an earlier version."
    case .catalogAccepted, .catalogReverted: "“gameconfctl audit revert” reverts it by its number alone."
    case .catalogForgotten: "Put the catalog's file back, then “gameconfctl reload”."
    case .scenarioBegun: "“gameconfctl scenario end” ends the scenario and undoes its changes."
    case .scenarioEnded: "“gameconfctl scenario run” begins it again."
    case nil: isOfShop ? "“gameconfctl iap clear” removes the transaction, “iap refund” removes what it gave." : nil
    }
  }
}
