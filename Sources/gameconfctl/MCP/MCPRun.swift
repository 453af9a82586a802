// gameconfctl mcp

import ArgumentParser
import GameConfCore
import Glibc

struct MCPRun: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Offer the daemon's calls to an editor or assistant, over standard input and output.",
    discussion: """
      Speaks the Model Context Protocol in revision 2026-07-28, and in 2025-11-25 and 2025-06-18 with clients that begin with initialize. An editor \
      starts it. It calls the daemon in your name and with your roles, and ends with its input.

      By default it only reads. With --write a tool plans a change first, and then applies the plan. The audit log names the session, which \
      begins with mcp. Calls that cannot be reverted, such as a deletion, are not offered.
      """)

  @Flag(name: .customLong("write"), help: "Let the client change values, scores, settings and entitlements, too.") var writes = false
  @Option(help: ArgumentHelp("Only this game.", valueName: "id"), completion: .games) var game: String?
  @Option(help: ArgumentHelp("Only this player of the game.", valueName: "id"), completion: .players) var player: String?
  @Flag(help: "Offer every call that may be a tool, not only the usual ones.") var all = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if player != nil, game == nil { throw ValidationError("--player needs --game.") }
  }

  func run(on console: Console) async throws {
    let scope = MCPScope(game: game, player: player, writes: writes, all: all)
    let tools = MCPTools(daemon: console.daemon, scope: scope, session: "mcp-" + RandomText.hexadecimal().prefix(12))
    var server = MCPServer(tools: tools, resources: MCPResources(daemon: console.daemon, tools: tools))
    var lines = JSONLineParser()
    var pending = 0
    while let piece = Self.read() {
      lines.feed(piece)
      pending += piece.count
      while let line = lines.next() {
        pending = 0
        for message in await server.answers(to: line) { console.screen.write(JSONWriter.text(message) + "\n") }
      }
      guard pending <= MCPMessage.bytesMax else { throw CtlFailure.refused(["A line has more than \(MCPMessage.bytesMax) bytes."]) }
    }
  }

  /// Waits for bytes on standard input and returns them; nil at the end of the input.
  private static func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }
}
