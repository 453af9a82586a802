// gameconfctl play

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Open and close plays, and show the values that they pinned.",
    subcommands: [PlayOpen.self, PlayShow.self, PlaysList.self, PlayClose.self], aliases: ["plays"])
}

extension WirePlay {
  /// The outcome for the play, in a sentence.
  func told(on screen: Screen) -> String {
    let pinned = "\(keys) \(keys == 1 ? "key" : "keys") pinned at revision \(revision)"
    return "\(SafeText.escaped(play)): \(pinned), opened \(screen.time(openedAt, in: .clock))"
      + (closedAt.map { ", closed \(screen.time($0, in: .clock))" } ?? "")
  }
}
