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
      Fact("id", entry.id)
      Fact("at", "\(time: entry.at)" as Sentence)
      Fact("author", author(entry.author))
      Fact("action", entry.action)
      Fact("game", entry.game)
      Fact("key", entry.key)
      Fact("player", entry.player)
      Fact("window", entry.window)
      Fact("before", entry.before)
      Fact("after", entry.after)
      Fact("detail", entry.detailWords)
      Fact("reason", entry.reason)
      Fact("revision", entry.revision)
      Fact("session", entry.session)
      Fact("reverts", entry.reverts)
      Fact("reverted by", entry.revertedBy)
    }
  }

  private static func author(_ author: WireAuthor) -> String {
    var text = author.name ?? "-"
    if let uid = author.uid { text += " (uid \(uid)\(author.pid.map { ", pid \($0)" } ?? ""))" }
    return text
  }
}
