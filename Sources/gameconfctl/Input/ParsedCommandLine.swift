// Splits a command line into its command, options and words.

import ArgumentParser
import GameConfCore

/// The command that the first words of a command line name.
struct NamedCommand {
  var command: any ParsableCommand.Type
  /// The number of words that name the command, such as 2 for `config set`.
  var count: Int
  /// The word in the position of a subcommand, if no subcommand has that name.
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

  /// The right command for each command that people look for in the wrong group.
  private static let elsewhere = [
    "events report": "ads event", "events send": "ads event", "events record": "ads event", "player event": "ads event",
    "catalog list": "games",
  ]

  /// Returns the failure for the word ``unknown``, with similar commands; nil if there is no such word.
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
  static var names: [String] { [configuration.commandName ?? ""] + configuration.aliases }
}

/// The part of a command line after the words that name the command.
struct ParsedCommandLine: Equatable {
  /// The options with their values, as they were typed.
  var options: [String] = []
  /// The values of the options that have one, by the option's name.
  var values: [String: String] = [:]
  /// The words that are neither options nor their values. The words after `--` are not among them if the command passes those on.
  var words: [String] = []
  /// The option at the end of the line, if its value is missing.
  var openOption: String?
  /// The unchanged words after `--`, if the command passes them on.
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

  /// The line as arguments for ArgumentParser. Options come first, and words that look like options follow `--`.
  var arguments: [String] {
    if let passedOn { return options + words + ["--"] + passedOn }
    return options + (words.contains { $0.hasPrefix("-") && $0 != "-" } ? ["--"] : []) + words
  }

  /// Removes an option with its value from the line.
  /// - Returns: The value; nil if the option is not in the line.
  mutating func take(_ option: String) -> String? {
    guard let value = values.removeValue(forKey: option) else { return nil }
    if let at = options.firstIndex(of: option), at + 1 < options.count { options.removeSubrange(at...(at + 1)) }
    options.removeAll { $0.hasPrefix(option + "=") }
    return value
  }

  /// True if the text is a negative number and not an option.
  static func isNegative(_ text: String) -> Bool {
    guard text.hasPrefix("-"), let second = text.dropFirst().utf8.first else { return false }
    return (0x30...0x39).contains(second) || (second == 0x2E && text.utf8.count > 2)
  }
}
