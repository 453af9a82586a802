// Simulated transactions as rows.

import GameConfAPI

enum TransactionTable {
  static func of(_ transactions: [WireTransaction]) -> Table {
    var table = Table(
      [
        "transaction", "for", "reason", .state("state"), .date("at"), .date("until"), "price", "finished", .aside("original"),
      ], whenEmpty: "no transactions")
    for each in transactions {
      table.add([
        each.id, each.product ?? each.entitlement ?? "-", each.reason, state(of: each), each.purchasedAt.text,
        (each.graceUntil ?? each.expiresAt)?.text ?? "-", each.price.map { "\($0.amount) \($0.currency)" } ?? "-",
        each.finishedAt == nil ? "no" : "yes", each.originalID,
      ])
    }
    return table
  }

  /// The state of the transaction.
  private static func state(of each: WireTransaction) -> String {
    if let revocation = each.revocation { return revocation }
    if each.upgradedAt != nil { return "upgraded" }
    if each.unverified != nil { return "unverified" }
    if each.state == "purchased" { return each.isActive ? "active" : each.expiresAt == nil ? "bought" : "ended" }
    return each.state
  }
}
