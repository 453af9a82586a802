// Overrides as rows.

import GameConfAPI

enum OverrideTable {
  static func of(_ overrides: [OverrideRecord]) -> Table {
    var table = Table(
      ["key", "value", "player", "from", "until", "window", "author", "at", "state", "reason"], whenEmpty: "nothing is overridden")
    for each in overrides {
      table.add([
        each.key, ValueLook.cell(each.value), each.player ?? "-", each.window?.from.text ?? "-", each.window?.until.text ?? "-",
        each.window?.id ?? "-", each.author.label, each.at.text, each.quarantined.map { "quarantined: \($0)" } ?? "in force",
        each.reason ?? "-",
      ])
    }
    return table
  }
}

extension WireAuthor {
  /// The name, else the number.
  var label: String { name ?? uid.map { "uid \($0)" } ?? "-" }
}
