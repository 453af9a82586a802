// The faces of the command line: other protocols and languages, in folders that only this file uses. A face is removed with its folders and
// its lines here.

import ArgumentParser

/// The commands for other protocols and languages, by the command group that offers them.
enum Faces {
  static var commands: [any ParsableCommand.Type] {
    [
      BridgeRun.self,
      PanelRun.self,
      MCPRun.self,
    ]
  }

  static var catalog: [any ParsableCommand.Type] {
    [
      CatalogCodegen.self
    ]
  }

  static var iap: [any ParsableCommand.Type] {
    [
      IapKey.self
    ]
  }
}
