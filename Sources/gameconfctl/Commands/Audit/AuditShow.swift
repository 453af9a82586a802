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
    console.show(value) { console.screen.show(Self.table(entry, on: console.screen)) }
  }

  static func table(_ entry: AuditEntry, on screen: Screen) -> Table {
    var table = Table(["what", "value"])
    table.add(["id", String(entry.id)])
    table.add(["at", screen.time(entry.at)])
    table.add(["author", Self.author(entry.author)])
    table.add(["action", entry.action])
    let rest: [(String, String?)] = [
      ("game", entry.game), ("key", entry.key), ("player", entry.player),
      ("window", entry.window), ("before", entry.before.map(ValueStyle.cell)),
      ("after", entry.after.map(ValueStyle.cell)), ("detail", entry.detailWords), ("reason", entry.reason),
      ("revision", entry.revision.map(String.init)), ("session", entry.session),
      ("reverts", entry.reverts.map(String.init)), ("reverted by", entry.revertedBy.map(String.init)),
    ]
    for (name, value) in rest {
      if let value { table.add([name, value]) }
    }
    return table
  }

  private static func author(_ author: WireAuthor) -> String {
    var text = author.name ?? "-"
    if let uid = author.uid { text += " (uid \(uid)\(author.pid.map { ", pid \($0)" } ?? ""))" }
    return text
  }
}
