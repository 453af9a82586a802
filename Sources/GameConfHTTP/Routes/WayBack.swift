// What to do about a change that the audit log cannot take back.

internal import GameConfEngine

extension AuditAction {
  /// What to do instead of taking a line back; nil for what the daemon did by itself.
  var wayBack: String? {
    switch rawValue {
    case "player.scores": "“gameconfctl player score” sets the scores again; what they unlocked stays."
    case "player.setting": "“gameconfctl player settings” chooses again, with --reset nothing."
    case "player.event", "player.visit", "player.context", "player.bests", "play.open", "play.close", "ad.report":
      "“gameconfctl player reset” makes the player new again."
    case "ad.reset", "ad.force": "“gameconfctl ads reset” and “ads force” set the placement again."
    case "player.reset", "player.forget", "player.copy":
      "Only a backup of the database has it; “gameconfctl store copies” lists those at hand."
    case "clock.player.set": "“gameconfctl player clock … reset” shows the game's time again."
    case "clock.set": "“gameconfctl iap clock … reset” shows the host's time again and clears simulated purchases."
    case "clock.reset", "store.restore", "store.rebuild":
      "The database before it was put aside: “gameconfctl store copies” lists it, “store restore” brings it back."
    case "iap.premium": "“gameconfctl iap premium” switches it back."
    case "iap.transfer": "“gameconfctl iap restore --from” moves the purchases back."
    case "template.activate", "template.rollback", "template.push", "template.fetch":
      "“gameconfctl template rollback” brings an earlier version back."
    case "catalog.accept", "catalog.revert": "“gameconfctl audit revert” takes it back by its number alone."
    case "catalog.forget": "Put the catalog's file back, then “gameconfctl reload”."
    case "scenario.begin": "“gameconfctl scenario end” ends the scenario and takes back what it set."
    case "scenario.end": "“gameconfctl scenario run” begins it again."
    default:
      rawValue.hasPrefix("iap.") ? "“gameconfctl iap clear” forgets the transaction, “iap refund” takes back what it gave." : nil
    }
  }
}
