// Explains why ArgumentParser refused a command line, in the style of all other messages.

import ArgumentParser
import GameConfCore

/// A refused command line together with the arguments and options of its command.
struct CommandLineFault {
  private let name: String
  private let shape: CommandShape
  /// The words and options before `--`, without the words that name the command.
  private let typed: [String]
  private let words: [String]

  /// Returns the failure that names the fault and a correct form.
  /// - Parameter parsed: ArgumentParser's own message. It is used if the command line fits the command, so that the command's own check
  ///   must have failed.
  static func failure(_ arguments: [String], parsed: String) -> CtlFailure {
    let named = NamedCommand(arguments)
    let fault = CommandLineFault(named, arguments)
    return .usage("\(fault.optionFault ?? fault.wordFault ?? quoted(parsed))")
  }

  /// Returns the failure for a missing word. The word that should follow it was typed in its position.
  static func missing(_ name: String, before word: String, in arguments: [String]) -> CtlFailure {
    .usage("the \(name) is missing before “\(word)”: \(CommandLineFault(NamedCommand(arguments), arguments).form)")
  }

  private init(_ named: NamedCommand, _ arguments: [String]) {
    name = (["gameconfctl"] + arguments.prefix(named.count)).joined(separator: " ")
    shape = CommandShape(of: named.command)
    let rest = arguments.dropFirst(named.count)
    typed = Array(rest.prefix { $0 != "--" })
    words = ParsedCommandLine(rest, shape).words
  }

  private var optionFault: String? {
    var waiting: (option: CommandShape.Option, typed: String)?
    for argument in typed {
      if let (option, name) = waiting {
        if argument.hasPrefix("-"), argument != "-", !option.takesAnything { return Self.needsValue(name, option) }
        if let fault = Self.fault(argument, of: option, name) { return fault }
        waiting = nil
        continue
      }
      guard argument.hasPrefix("-"), argument != "-", !ParsedCommandLine.isNegative(argument) else { continue }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = shape.option(parts[0]) else { return unknown(parts[0]) }
      if option.valueName == nil {
        if parts.count == 2 { return "“\(parts[0])” takes no value" }
      } else if parts.count == 2 {
        if let fault = Self.fault(parts[1], of: option, parts[0]) { return fault }
      } else {
        waiting = (option, parts[0])
      }
    }
    if let (option, name) = waiting { return Self.needsValue(name, option) }
    let missing = shape.options.first { option in !option.isOptional && !option.names.contains(where: isTyped) }
    return missing.map { "“\($0.names[0])” is missing: \(form)" }
  }

  private func isTyped(_ option: String) -> Bool { typed.contains { $0 == option || $0.hasPrefix(option + "=") } }

  private func unknown(_ option: String) -> String {
    let hint = NearestNames.hint(for: option, among: shape.options.flatMap { $0.names.filter { $0.hasPrefix("--") } })
    return "“\(option)” is not an option of \(name).\(hint.isEmpty ? " “\(name) --help” shows them." : hint)"
  }

  private static func needsValue(_ name: String, _ option: CommandShape.Option) -> String {
    "“\(name)” needs a value: \(name) \(value(option))"
  }

  private static func value(_ option: CommandShape.Option) -> String {
    if case .words(let words) = option.completion { return words.joined(separator: "|") }
    return "<\(option.valueName ?? "value")>"
  }

  private static func fault(_ text: String, of option: CommandShape.Option, _ name: String) -> String? {
    if case .words(let words) = option.completion, !words.contains(text) { return "\(name): " + noneOf(text, words) }
    switch option.valueName {
    case "number": return Int64(text) == nil ? "\(name) takes a whole number, not “\(text)”" : nil
    case "seconds": return Double(text) == nil ? "\(name) takes a number of seconds, not “\(text)”" : nil
    default: return nil
    }
  }

  private static func noneOf(_ text: String, _ words: [String]) -> String {
    let hint = NearestNames.hint(for: text, among: words)
    return "“\(text)” is not one of \(words.joined(separator: ", "))." + hint
  }

  /// Returns advice for a user who typed a time for a clock without the word `set` or `advance`; otherwise an empty text.
  private static func move(_ text: String, _ admitted: [String]) -> String {
    if (try? Instant(parsing: text)) != nil, admitted.contains("set") { return " Did you mean “set \(text)”?" }
    let isLength = LengthText.isLength(text) || (try? CalendarPeriod(parsing: text)) != nil
    return isLength && admitted.contains("advance") ? " Did you mean “advance \(text)”?" : ""
  }

  private var wordFault: String? {
    let missing = shape.positionals.filter { !$0.isOptional }.dropFirst(words.count)
    if !missing.isEmpty {
      let names = missing.map { "the \($0.name)" }.joined(separator: " and ")
      return "\(names) \(missing.count == 1 ? "is" : "are") missing: \(form)"
    }
    if let max = shape.countMax, words.count > max { return "“\(words[max])” is one word too many: \(form)" }
    for (word, positional) in zip(words, shape.positionals) {
      if case .words(let admitted) = positional.completion, !admitted.contains(word) {
        return "\(positional.name): " + Self.noneOf(word, admitted) + Self.move(word, admitted)
      }
    }
    return nil
  }

  /// The command with its required words and options, in the form in which a user types it.
  private var form: String {
    var parts = [name]
    for option in shape.options where !option.isOptional { parts.append("\(option.names[0]) \(Self.value(option))") }
    for word in shape.positionals where !word.isPassedOn {
      var text = "<\(word.name)>"
      if case .words(let words) = word.completion { text = words.joined(separator: "|") }
      if word.isRepeating { text += "..." }
      parts.append(word.isOptional ? "[\(text)]" : text)
    }
    return parts.joined(separator: " ")
  }

  /// Replaces the quotes in ArgumentParser's message by those of all other messages.
  private static func quoted(_ message: String) -> String {
    var text = ""
    var isOpen = false
    var before: Character = " "
    for character in message {
      if character == "'", !isOpen, !before.isLetter {
        (text, isOpen) = (text + "“", true)
      } else if character == "'", isOpen {
        (text, isOpen) = (text + "”", false)
      } else {
        text.append(character)
      }
      before = character
    }
    return text
  }
}
