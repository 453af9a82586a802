// The arguments and options of a command, read from ArgumentParser's description of it.

import ArgumentParser
import GameConfCore

struct CommandShape {
  struct Positional {
    var name = ""
    var help = ""
    var isOptional = false
    var isRepeating = false
    /// True if the argument is the words after `--`, which are another command and are passed on unchanged.
    var isPassedOn = false
    var completion = CompletionSource.nothing
  }

  struct Option {
    /// The option's names as a user types them, such as `--player` and `-y`.
    var names: [String] = []
    var help = ""
    /// The name of the option's value in the help text; nil for an option without a value.
    var valueName: String?
    var defaultValue: String?
    var isRepeating = false
    var isOptional = true
    /// True if the option's value may begin with a dash, like an option.
    var takesAnything = false
    var completion = CompletionSource.nothing
  }

  var abstract = ""
  var discussion = ""
  var positionals: [Positional] = []
  var options: [Option] = []

  var requiredCount: Int { positionals.filter { !$0.isOptional }.count }
  /// The maximum number of words; nil if the command takes any number.
  var countMax: Int? {
    let own = positionals.filter { !$0.isPassedOn }
    return own.contains(where: \.isRepeating) ? nil : own.count
  }
  /// True if the words after `--` are another command, which is passed on.
  var passesOn: Bool { positionals.contains(where: \.isPassedOn) }

  init(of command: any ParsableArguments.Type) {
    guard let described = (try? JSONReader.value(from: command._dumpHelp()))?["command"] else { return }
    abstract = described["abstract"]?.stringValue ?? ""
    discussion = described["discussion"]?.stringValue ?? ""
    for argument in described["arguments"]?.listValue ?? [] where argument["shouldDisplay"] != false { add(argument) }
    guard playerPlace != nil, option(Self.playerOption) == nil else { return }
    namesPlayerByOption = true
    options.append(
      Option(
        names: [Self.playerOption], help: "The player, in place of the word.", valueName: "player", completion: .ids(.players)))
  }

  /// The option that names the player in every command that has the player among its words.
  static let playerOption = "--player"
  /// True if the player is one of the command's words, which ``playerOption`` may replace.
  private(set) var namesPlayerByOption = false
  /// The position of the player among the command's words; nil if the command has no such word.
  var playerPlace: Int? { positionals.firstIndex { $0.name == "player" } }

  private mutating func add(_ argument: Value) {
    let help = argument["abstract"]?.stringValue ?? ""
    let isOptional = argument["isOptional"] == true
    let isRepeating = argument["isRepeating"] == true
    let completion = CompletionSource(of: argument)
    if argument["kind"] == "positional" {
      let name = argument["valueName"]?.stringValue ?? ""
      positionals.append(
        Positional(
          name: name, help: help, isOptional: isOptional, isRepeating: isRepeating,
          isPassedOn: argument["parsingStrategy"] == "postTerminator", completion: completion))
      return
    }
    let names = (argument["names"]?.listValue ?? []).compactMap { name -> String? in
      guard let text = name["name"]?.stringValue else { return nil }
      return (name["kind"] == "long" ? "--" : "-") + text
    }
    options.append(
      Option(
        names: names, help: help, valueName: argument["kind"] == "option" ? argument["valueName"]?.stringValue ?? "value" : nil,
        defaultValue: argument["defaultValue"]?.stringValue, isRepeating: isRepeating, isOptional: isOptional,
        takesAnything: argument["parsingStrategy"] == "unconditional", completion: completion))
  }

  func option(_ name: String) -> Option? { options.first { $0.names.contains(name) } }
}

extension CompletionSource {
  /// Reads from ArgumentParser's description how an argument is completed.
  init(of argument: Value) {
    let kind = argument["completionKind"]
    if let words = argument["allValues"]?.listValue ?? kind?["list"]?["values"]?.listValue {
      self = .words(words.compactMap(\.stringValue))
    } else if let command = kind?["shellCommand"]?["command"]?.stringValue, command.hasPrefix(CompletionKind.idsCommand) {
      self = IDKind(rawValue: String(command.dropFirst(CompletionKind.idsCommand.count))).map(CompletionSource.ids) ?? .nothing
    } else {
      self = kind?["file"] == nil ? .nothing : .files
    }
  }
}
