// gameconfctl version

import ArgumentParser
import GameConfAPI
import GameConfCore

struct VersionShow: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the versions of this command and of the daemon.")

  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let daemon = try? await console.daemon.ask(Calls.openAPI).value["info"]?["version"]?.stringValue
    var object = ObjectValue([("gameconfctl", .string(ReleaseVersion.version))])
    object["gameconfd"] = daemon.map(Value.string) ?? .null
    console.show(.object(object)) {
      console.screen.say("gameconfctl \(ReleaseVersion.version)")
      console.screen.line("gameconfd \(daemon ?? "not reached")")
    }
  }
}
