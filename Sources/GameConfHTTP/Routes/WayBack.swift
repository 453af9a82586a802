// Advice for changes that the audit log cannot revert.

import GameConfStorage

extension AuditAction {
  /// The advice instead of reverting an audit line; nil for the daemon's own acts.
  var wayBack: String? {
    switch rawValue {
    case "player.scores": "“gameconfctl player score” sets the scores again; unlocked milestones stay."
    case "player.setting": "“gameconfctl player settings” sets it again, or with --reset removes it."
    case "player.event", "player.visit", "player.context", "player.bests", "play.open", "play.close", "ad.report":
      "“gameconfctl player reset” makes the player new again."
    case "ad.reset", "ad.force": "“gameconfctl ads reset” and “ads force” set the placement again."
    case "player.reset", "player.forget", "player.copy":
      "It is only in a backup of the database; “gameconfctl store copies” lists the copies on this host."
    case "clock.player.set": "“gameconfctl player clock … reset” goes back to the game's time."
    case "clock.set": "“gameconfctl iap clock … reset” goes back to the host's time and clears simulated purchases."
    case "clock.reset", "store.restore", "store.rebuild":
      "The previous database was moved aside: “gameconfctl store copies” lists it, “store restore” restores it."
    case "iap.premium": "“gameconfctl iap premium” switches it back."
    case "iap.transfer": "“gameconfctl iap restore --from” moves the purchases back."
    case "template.activate", "template.rollback", "template.push", "template.fetch":
      "“gameconfctl template rollback” restores an earlier version."
    case "catalog.accept", "catalog.revert": "“gameconfctl audit revert” reverts it by its number alone."
    case "catalog.forget": "Put the catalog's file back, then “gameconfctl reload”."
    case "scenario.begin": "“gameconfctl scenario end” ends the scenario and undoes its changes."
    case "scenario.end": "“gameconfctl scenario run” begins it again."
    default:
      rawValue.hasPrefix("iap.") ? "“gameconfctl iap clear” removes the transaction, “iap refund” removes what it gave." : nil
    }
  }
}
