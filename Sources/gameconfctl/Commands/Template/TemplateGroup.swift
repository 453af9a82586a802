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

/// The words about a change of a template.
enum TemplateWords {
  static func sentence(_ answer: TemplateAnswer, on screen: Screen) -> String {
    let version = "version \(answer.version.version)"
    if answer.isUnchanged { return "the newest version is the same: \(version); nothing was stored" }
    if answer.active == answer.version.version {
      let keys = answer.changes.count == 1 ? "1 key" : "\(answer.changes.count) keys"
      let back = answer.version.rollbackOf.map { ", the document of version \($0)" } ?? ""
      return "\(version)\(back) is in force: \(keys) may answer otherwise; revision \(answer.revision)"
    }
    if answer.scheduled == answer.version.version, let at = answer.scheduledAt {
      return "\(version) is stored and comes into force at \(screen.time(at))"
    }
    return "\(version) is stored and waits to be activated"
  }

  /// The state of the source that gameconf-fetch reads.
  static func sentence(_ source: TemplateSourceAnswer, on screen: Screen) -> String {
    let name = SafeText.escaped(source.source)
    guard let since = source.failingSince else { return "fetched from \(name), last at \(screen.time(source.at))" }
    let faults = source.faults.map { SafeText.escaped($0) }.joined(separator: "; ")
    return "\(name) fails since \(screen.time(since)), the version in force stays: \(faults)"
  }

  /// The further notes, a line each.
  static func notes(_ answer: TemplateAnswer) -> [String] {
    var notes: [String] = []
    if answer.quarantined > 0 {
      notes.append(answer.quarantined == 1 ? "1 override went to quarantine" : "\(answer.quarantined) overrides went to quarantine")
    }
    if !answer.unknownKeys.isEmpty {
      notes.append("not in the catalog, stored and not served: \(answer.unknownKeys.map { SafeText.escaped($0) }.joined(separator: ", "))")
    }
    for remark in answer.remarks { notes.append("\(SafeText.escaped(remark.pointer)): \(SafeText.escaped(remark.message))") }
    return notes
  }

  static func show(_ reply: Reply<TemplateAnswer>, _ console: Console, _ change: ChangeOptions) {
    console.show(reply.value) {
      console.screen.say(change.told(sentence(reply.answer, on: console.screen)))
      for note in notes(reply.answer) { console.screen.say(note) }
    }
  }

  /// - Parameter players: how many were simulated; nil for none.
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
