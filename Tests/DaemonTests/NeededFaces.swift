// Tests of several faces of the programs, which are skipped in a tree from which such a face is removed.

import Glibc
import Testing

/// A face of the programs, by the folder that is removed with it.
enum Face: String, CaseIterable {
  case firebase = "GameConfFirebase"
  case ofrep = "GameConfOFREP"
  case revenueCat = "GameConfRevenueCat"
  case bridge = "gameconfctl/Bridge"
  case codegen = "gameconfctl/Codegen"
  case mcp = "gameconfctl/MCP"

  /// A word of the commands that the face serves, which guides have in their examples.
  private var word: String {
    switch self {
    case .firebase: "/v1/projects/"
    case .ofrep: "/ofrep/"
    case .revenueCat: "revenuecat"
    case .bridge: "gameconfctl bridge"
    case .codegen: "catalog codegen"
    case .mcp: "gameconfctl mcp"
    }
  }

  /// True if all faces are present that these commands use.
  static func serve(_ commands: [String]) -> Bool {
    allCases.allSatisfy { face in face.isPresent || !commands.contains { $0.contains(face.word) } }
  }

  var isPresent: Bool { access("\(Built.tree)/Sources/\(rawValue)", F_OK) == 0 }
}

extension Trait where Self == ConditionTrait {
  /// The test runs only where these faces are present.
  static func needs(_ faces: Face...) -> Self {
    .enabled(if: faces.allSatisfy(\.isPresent), "a face of the programs that the test needs is removed")
  }
}
