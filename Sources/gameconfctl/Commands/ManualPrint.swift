// gameconfctl manual: the man pages, generated from the commands.

import ArgumentParser
import GameConfCore
import Glibc

struct ManualPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a man page: gameconfctl(1), or that of a noun.",
    discussion: "With --into every page is written into a folder, where man finds it.", shouldDisplay: false)

  @Argument(help: "The noun; gameconfctl itself if left out.") var noun: String?
  @Option(help: ArgumentHelp("Write every page into this folder.", valueName: "folder"), completion: .directory)
  var into: String?

  func validate() throws {
    if noun != nil, into != nil { throw ValidationError("--into writes every page; leave out the noun.") }
  }

  func run() throws {
    if let into {
      for page in ManualPage.all {
        let path = "\(into)/\(page.name).1"
        unlink(path)
        let descriptor = try FileBytes.create(path, mode: 0o644)
        defer { close(descriptor) }
        try FileBytes.write(Array(page.text.utf8), to: descriptor, path: path)
      }
      return
    }
    guard let noun else { return Console.screen.write(ManualPage.overview.text) }
    guard let page = ManualPage.page(of: noun) else {
      let names = ManualPage.nouns.compactMap { $0.names.first }
      throw CtlFailure.usage("“\(noun)” has no man page.\(NearestNames.hint(for: noun, among: names))")
    }
    Console.screen.write(page.text)
  }
}
