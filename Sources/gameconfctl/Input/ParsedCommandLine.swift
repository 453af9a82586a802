// A command line as it is typed: which command, which options, which words.

import ArgumentParser
import GameConfCore

/// The command that the first words name.
struct NamedCommand {
  var command: any ParsableCommand.Type
  /// The number of words that name it.
  var count: Int
  /// The word that should have named a part of it, and does not.
  var unknown: String?

  init(_ arguments: [String], from root: any ParsableCommand.Type = GameConfCtl.self) {
    command = root
    count = 0
    for word in arguments {
      let parts = command.configuration.subcommands
      if parts.isEmpty || word.hasPrefix("-") { return }
      guard let next = parts.first(where: { $0.names.contains(word) }) else {
        unknown = word == "help" && count == 0 ? nil : word
        return
      }
      command = next
      count += 1
    }
  }

  /// The commands that people look for in another group.
  private static let elsewhere = [
    "events report": "ads event", "events send": "ads event", "events record": "ads event", "player event": "ads event",
    "catalog list": "games",
  ]

  /// The failure for a word that names nothing.
  func fault(in arguments: [String]) -> CtlFailure? {
    guard let unknown else { return nil }
    let whole = (["gameconfctl"] + arguments.prefix(count)).joined(separator: " ")
    let canonical = command.configuration.commandName ?? ""
    if let other = Self.elsewhere["\(canonical) \(unknown)"] {
      return .usage("“\(unknown)” is not a command of \(whole). “gameconfctl \(other)” does that.")
    }
    let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let hint = NearestNames.hint(for: unknown, among: shown.flatMap { $0.names })
    let names = shown.compactMap { $0.names.first }
    let all = " There \(names.count == 1 ? "is only" : "are") \(names.joined(separator: ", "))."
    return .usage("“\(unknown)” is not a command of \(whole).\(hint.isEmpty ? all : hint)")
  }
}

extension ParsableCommand {
  /// Its name, and its aliases.
  static var names: [String] { [configuration.commandName ?? ""] + configuration.aliases }
}

/// The words behind the command.
struct ParsedCommandLine: Equatable {
  /// Options with their values, as they were typed.
  var options: [String] = []
  /// The values of options that have one, by name.
  var values: [String: String] = [:]
  /// Everything else.
  var words: [String] = []
  /// The option that waits for its value at the end.
  var openOption: String?
  /// The words behind `--` where the command passes them on; untouched.
  var passedOn: [String]?

  init(_ arguments: some Sequence<String>, _ shape: CommandShape) {
    var isOnlyWords = false
    for argument in arguments {
      if passedOn != nil {
        passedOn?.append(argument)
      } else if let option = openOption {
        options.append(argument)
        values[option] = argument
        openOption = nil
      } else if isOnlyWords || !argument.hasPrefix("-") || argument == "-" || Self.isNegative(argument) {
        words.append(argument)
      } else if argument == "--" {
        if shape.passesOn { passedOn = [] } else { isOnlyWords = true }
      } else {
        options.append(argument)
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 { values[parts[0]] = parts[1] } else if shape.option(argument)?.valueName != nil { openOption = argument }
      }
    }
  }

  /// The line again, options first; words that look like options stand where they cannot be taken for some.
  var arguments: [String] {
    if let passedOn { return options + words + ["--"] + passedOn }
    return options + (words.contains { $0.hasPrefix("-") && $0 != "-" } ? ["--"] : []) + words
  }

  /// Takes an option with its value out of the line.
  /// - Returns: the value; nil if the option is not in the line.
  mutating func take(_ option: String) -> String? {
    guard let value = values.removeValue(forKey: option) else { return nil }
    if let at = options.firstIndex(of: option), at + 1 < options.count { options.removeSubrange(at...(at + 1)) }
    options.removeAll { $0.hasPrefix(option + "=") }
    return value
  }

  /// True if it is a number below 0, and no option.
  static func isNegative(_ text: String) -> Bool {
    guard text.hasPrefix("-"), let second = text.dropFirst().utf8.first else { return false }
    return (0x30...0x39).contains(second) || (second == 0x2E && text.utf8.count > 2)
  }
}
