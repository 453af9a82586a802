// gameconfctl audit show

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AuditShow: DaemonCommand, EntryCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one change in full.")

  @OptionGroup var named: AuditEntryArgument
  @OptionGroup var connection: ConnectionOptions

  func validate() throws { try named.check() }

  func run(on console: Console) async throws {
    let (entry, value) = try await named.entry(console.daemon)
    console.show(value) { console.screen.show(Self.table(entry)) }
  }

  static func table(_ entry: AuditEntry) -> Table {
    Table(facts: "what") {
      NamedValueRow("id", entry.id)
      NamedValueRow("at", "\(time: entry.at)" as Sentence)
      NamedValueRow("author", author(entry.author))
      NamedValueRow("action", entry.action)
      NamedValueRow("game", entry.game)
      NamedValueRow("key", entry.key)
      NamedValueRow("player", entry.player)
      NamedValueRow("window", entry.window)
      NamedValueRow("before", entry.before)
      NamedValueRow("after", entry.after)
      NamedValueRow("detail", entry.detailWords)
      NamedValueRow("reason", entry.reason)
      NamedValueRow("revision", entry.revision)
      NamedValueRow("session", entry.session)
      NamedValueRow("reverts", entry.reverts)
      NamedValueRow("reverted by", entry.revertedBy)
    }
  }

  private static func author(_ author: WireAuthor) -> String {
    var text = author.name ?? "-"
    if let uid = author.uid { text += " (uid \(uid)\(author.pid.map { ", pid \($0)" } ?? ""))" }
    return text
  }
}
