// gameconfctl template

import ArgumentParser
import GameConfAPI
import GameConfCore

struct TemplateGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "template", abstract: "Push remote values and rules for a game, and go back to earlier ones.",
    discussion:
      "A template is JSON in gameconfd's form (or YAML), in Firebase Remote Config's for clients or servers, or in flagd's.",
    subcommands: [
      TemplateShow.self, TemplatePush.self, TemplateValidate.self, TemplateDiff.self, TemplateActivate.self, TemplateVersions.self,
      TemplateRollback.self, TemplateFetch.self,
    ], aliases: ["templates"])
}

enum TemplateWords {
  static func sentence(_ answer: TemplateAnswer) -> Sentence {
    let version = "version \(answer.version.version)"
    if answer.isUnchanged { return "the newest version is the same: \(version); nothing was stored" }
    if answer.active == answer.version.version {
      let back = answer.version.rollbackOf.map { ", the document of version \($0)" } ?? ""
      return "\(version)\(back) is in force: \(answer.changes.count, "key") may answer otherwise; revision \(answer.revision)"
    }
    if answer.scheduled == answer.version.version, let at = answer.scheduledAt {
      return "\(version) is stored and comes into force at \(time: at)"
    }
    return "\(version) is stored and waits to be activated"
  }

  /// Returns a sentence about the source from which gameconf-fetch reads the template.
  static func sentence(_ source: TemplateSourceAnswer) -> Sentence {
    guard let since = source.failingSince else { return "fetched from \(source.source), last at \(time: source.at)" }
    let faults = source.faults.joined(separator: "; ")
    return "\(source.source) fails since \(time: since), the version in force stays: \(faults)"
  }

  /// Returns further notes about the game's template, one line each.
  static func notes(_ answer: TemplateAnswer) -> [Sentence] {
    var notes: [Sentence] = []
    if answer.quarantined > 0 {
      notes.append("\(answer.quarantined, "override") went to quarantine")
    }
    if !answer.unknownKeys.isEmpty {
      notes.append("not in the catalog, stored and not served: \(answer.unknownKeys.joined(separator: ", "))")
    }
    for remark in answer.remarks { notes.append("\(remark.pointer): \(remark.message)") }
    return notes
  }

  static func show(_ reply: DaemonReply<TemplateAnswer>, _ console: Console) {
    console.show(reply.value) {
      console.report(sentence(reply.answer))
      for note in notes(reply.answer) { console.screen.say(note) }
    }
  }

  /// Returns the changes of a template as a table.
  /// - Parameter players: The number of simulated players; nil if there was no simulation.
  static func table(_ changes: [TemplateChange], players: Int64? = nil) -> Table {
    Table(changes, whenEmpty: "no key answers otherwise") {
      Column("key") { $0.key }
      Column("before", .value) { $0.before }
      Column("after", .value) { $0.after }
      Column("source") { $0.source }
      if let players { Column("of \(players) players") { $0.players } }
    }
  }
}
