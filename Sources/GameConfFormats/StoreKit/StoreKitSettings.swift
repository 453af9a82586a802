// Reports the settings of Xcode's simulated store: for each the equivalent command of gameconfctl, or that there is no such command.

import GameConfCore

extension ConversionReport {
  /// The names of settings that do not affect the store's behaviour.
  private static let silentSettings: Set<String> = [
    "_applicationInternalID", "_developerTeamID", "_lastSynchronizedDate", "_compatibilityTimeRate", "_locale", "_storefront",
  ]

  /// The rates of a simulated clock, by Xcode's number for the rate. A month counts as thirty days.
  private static let rates: [Int64: Int64] = [
    1: 24, 2: 48, 3: 288, 4: 1_440, 5: 2_880, 6: 86_400, 10: 720, 11: 1_440, 12: 2_880, 13: 8_640, 15: 86_400,
  ]

  /// The store's calls that Xcode can let fail, by the name of Xcode's setting.
  private static let calls = [
    "Load Products": "load_products", "Purchase": "purchase", "Verification": "verification", "App Store Sync": "restore",
  ]

  /// Adds a remark to the report for each setting that differs from Xcode's default: the equivalent command, or that the setting has no
  /// effect.
  ///
  /// The settings cannot be converted, because in gameconfd they belong to single players and clocks, not to the catalog.
  mutating func addSettings(_ settings: ObjectValue, of game: String) {
    let behaviour = "“gameconfctl iap behaviour \(game) PLAYER"
    let fresh: [Value] = [.null, false, 0]
    for setting in settings.members where !fresh.contains(setting.value) && !Self.silentSettings.contains(setting.name) {
      let name = setting.name
      switch name {
      case "_askToBuyEnabled": change(name, "\(name) is \(behaviour) ask-to-buy on” for a player.")
      case "_interruptedPurchasesEnabled": change(name, "\(name) is \(behaviour) interrupt on” for a player.")
      case "_failTransactionsEnabled": change(name, "\(name) is \(behaviour) fail purchase --error unknown” for a player.")
      case "_billingGracePeriodEnabled": change(name, "\(name) is a grace_period of P16D of each subscription.")
      case "_timeRate":
        if let rate = setting.value.losslessInteger.flatMap({ Self.rates[$0] }) {
          change(name, "\(name) \(JSONWriter.text(setting.value)) is “gameconfctl iap clock \(game) rate \(rate)”.")
        } else {
          leaveOut(name, "\(name) \(JSONWriter.text(setting.value)): a clock has one rate for periods of any length.")
        }
      case "_billingIssuesEnabled", "_renewalBillingIssuesEnabled":
        leaveOut(name, "\(name); \(behaviour) billing fail” lets a player's renewals fail.")
      case "_storeKitErrors": addErrors(setting.value.listValue ?? [], behaviour)
      default: leaveOut(name, "\(name) of the settings: stored under x-storekit, without effect.")
      }
    }
  }

  private mutating func addErrors(_ errors: [Value], _ behaviour: String) {
    for error in errors where error["enabled"] == true {
      let name = error["name"]?.stringValue ?? "_storeKitErrors"
      if let call = Self.calls[name] {
        change(name, "The error of \(name) is \(behaviour) fail \(call) --error unknown” for a player.")
      } else {
        leaveOut(name, "The error of \(name): stored under x-storekit, without effect.")
      }
    }
  }
}
