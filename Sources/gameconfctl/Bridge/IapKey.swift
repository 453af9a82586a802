// gameconfctl iap key

import ArgumentParser

struct IapKey: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Print a new API key for RevenueCat's clients, for gameconfctl bridge --revenuecat.")

  func run() throws { Console.screen.write(RevenueCatKeys.newKey() + "\n") }
}
