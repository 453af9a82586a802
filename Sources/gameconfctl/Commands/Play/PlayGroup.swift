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
  var sentence: Sentence {
    let closed: Sentence = closedAt.map { ", closed \(time: $0, .clock)" } ?? ""
    return "\(play): \(keys, "key") pinned at revision \(revision), opened \(time: openedAt, .clock)\(closed)"
  }
}
