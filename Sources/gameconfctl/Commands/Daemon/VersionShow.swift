// gameconfctl version

import ArgumentParser
import GameConfAPI
import GameConfCore

struct VersionShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the versions of this command and of the daemon.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
    let daemon = try? await console.daemon.ask(Calls.openAPI).value["info"]?["version"]?.stringValue
    var object = ObjectValue([("gameconfctl", .string(ReleaseVersion.version))])
    object["gameconfd"] = daemon.map(Value.string) ?? .null
    console.show(.object(object), asJSON: connection.json) {
      console.screen.say("gameconfctl \(ReleaseVersion.version)")
      console.screen.write("gameconfd \(daemon.map { SafeText.escaped($0) } ?? "not reached")\n")
    }
  }
}
