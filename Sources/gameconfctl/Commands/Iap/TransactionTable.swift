// Simulated transactions as rows.

import GameConfAPI

enum TransactionTable {
  static func of(_ transactions: [WireTransaction]) -> Table {
    Table(transactions, whenEmpty: "no transactions") {
      Column("transaction") { $0.id }
      Column("for") { $0.product ?? $0.entitlement }
      Column("reason") { $0.reason }
      Column("state", .state) { state(of: $0) }
      Column("at", .date) { $0.purchasedAt }
      Column("until", .date) { $0.graceUntil ?? $0.expiresAt }
      Column("price") { $0.price.map { "\($0.amount) \($0.currency)" } }
      Column("finished") { $0.finishedAt == nil ? "no" : "yes" }
      Column("original", .aside) { $0.originalID }
    }
  }

  /// Returns the state of a transaction in a word. A purchased transaction is `bought` if its access never ends, otherwise `active` or
  /// `ended`.
  private static func state(of each: WireTransaction) -> String {
    if let revocation = each.revocation { return revocation }
    if each.upgradedAt != nil { return "upgraded" }
    if each.unverified != nil { return "unverified" }
    if each.state == "purchased" { return each.isActive ? "active" : each.expiresAt == nil ? "bought" : "ended" }
    return each.state
  }
}
