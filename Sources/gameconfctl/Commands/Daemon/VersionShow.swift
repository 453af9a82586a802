// gameconfctl version

import ArgumentParser
import GameConfAPI
import GameConfCore

struct VersionShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the versions of this command and of the daemon.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let daemon = try? await desk.daemon.ask(Calls.openAPI).value["info"]?["version"]?.stringValue
    var object = ObjectValue([("gameconfctl", .string(Release.version))])
    object["gameconfd"] = daemon.map(Value.string) ?? .null
    desk.show(.object(object), asJSON: connection.json) {
      desk.screen.say("gameconfctl \(Release.version)")
      desk.screen.write("gameconfd \(daemon.map { SafeText.escaped($0) } ?? "not reached")\n")
    }
  }
}
