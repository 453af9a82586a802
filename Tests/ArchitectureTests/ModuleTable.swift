// The module table: the imports that each module may have, and the entries that the top folder of the repository may have.

/// A module of this package, with the modules that its files may import.
struct ModuleRule: Sendable {
  let module: String
  /// The modules of this package that the module may import.
  let own: Set<String>
  /// The modules of other packages that the module may import. `Synchronization` is allowed in every module, and `Glibc` in all but
  /// GameConfCore.
  let outside: Set<String>

  var mayImport: Set<String> {
    own.union(outside).union(module == "GameConfCore" ? ["Synchronization"] : ["Synchronization", "Glibc"])
  }
}

/// The imports and folders that the architecture allows, and the deviations from its rules.
enum ModuleTable {
  /// The modules of this package in their layers, the lowest first. A module may be listed before it exists.
  static let moduleRules: [ModuleRule] = [
    ModuleRule(module: "GameConfCore", own: [], outside: []),
    ModuleRule(module: "GameConfOutput", own: [], outside: []),
    ModuleRule(module: "GameConfZones", own: ["GameConfCore"], outside: []),
    ModuleRule(module: "GameConfFormats", own: ["GameConfCore", "GameConfZones"], outside: []),
    ModuleRule(module: "CSQLite", own: [], outside: []),
    ModuleRule(module: "CPostgres", own: [], outside: []),
    ModuleRule(
      module: "GameConfStorage", own: ["GameConfCore", "CSQLite", "CPostgres"], outside: ["CoreMetrics", "HashTreeCollections"]),
    ModuleRule(module: "GameConfEngine", own: ["GameConfCore", "GameConfStorage"], outside: []),
    ModuleRule(module: "CGameConfHeader", own: [], outside: []),
    ModuleRule(module: "GameConfAPI", own: ["GameConfCore", "CGameConfHeader"], outside: []),
    ModuleRule(module: "GameConfServer", own: ["GameConfCore"], outside: nio),
    ModuleRule(module: "CFutex", own: [], outside: []),
    ModuleRule(module: "GameConfImages", own: ["CFutex"], outside: []),
    ModuleRule(module: "CZlib", own: [], outside: []),
    ModuleRule(
      module: "GameConfHTTP",
      own: ["GameConfCore", "GameConfStorage", "GameConfEngine", "GameConfAPI", "GameConfServer", "GameConfImages", "CZlib"],
      outside: ["CoreMetrics", "NIOCore"]),
    ModuleRule(module: "GameConfRevenueCat", own: face.union(["GameConfStorage"]), outside: []),
    ModuleRule(module: "GameConfFirebase", own: face.union(["GameConfStorage", "CZlib"]), outside: ["NIOCore"]),
    ModuleRule(module: "GameConfOFREP", own: face, outside: []),
    ModuleRule(module: "GameConfTransport", own: ["GameConfAPI"], outside: []),
    ModuleRule(module: "CGameConf", own: [], outside: []),
    ModuleRule(module: "GameConfClient", own: ["CGameConf"], outside: []),
    ModuleRule(module: "CSystemd", own: [], outside: []),
    ModuleRule(module: "GameConfSystemd", own: ["GameConfCore", "CSystemd"], outside: ["Logging", "ServiceLifecycle"]),
    ModuleRule(
      module: "gameconfd",
      own: faces.union([
        "GameConfCore", "GameConfZones", "GameConfFormats", "GameConfStorage", "GameConfEngine", "GameConfAPI", "GameConfServer",
        "GameConfHTTP", "GameConfImages", "GameConfSystemd", "GameConfOutput",
      ]),
      outside: ["CoreMetrics", "Logging", "ServiceLifecycle", "UnixSignals"]),
    ModuleRule(module: "CPanel", own: [], outside: []),
    ModuleRule(
      module: "gameconfctl",
      own: [
        "GameConfCore", "GameConfOutput", "GameConfFormats", "GameConfAPI", "GameConfTransport",
        "CPanel",
      ],
      outside: ["ArgumentParser"]),
    ModuleRule(module: "CCurl", own: [], outside: []),
    ModuleRule(module: "CCrypto", own: [], outside: []),
    ModuleRule(
      module: "gameconf-fetch",
      own: [
        "GameConfCore", "GameConfOutput", "GameConfFormats", "GameConfAPI", "GameConfTransport", "GameConfSystemd", "CCurl", "CCrypto",
      ],
      outside: ["Logging"]),
  ]

  static func moduleRule(_ module: String) -> ModuleRule? { moduleRules.first { $0.module == module } }

  /// Returns the modules that a product of another package consists of.
  static func modules(ofProduct product: String) -> Set<String> {
    switch product {
    case "NIO": nio
    default: [product]
    }
  }

  /// The entries that the top folder of the repository may have, besides hidden files.
  static let topLevel: Set<String> = ["Package.swift", "Sources", "Tests", "Defaults", "systemd", "README.md", "Makefile"]

  /// The folders in `Tests` that have programs, scripts or fixtures instead of a test target.
  static let testFoldersWithoutTarget: Set<String> = ["Benchmarks", "Clients", "Fixtures", "Sanitizers", "System", "Traffic"]

  /// The names of the test targets that test several modules, and are not named for one.
  static let testTargetsAcrossModules: Set<String> = ["ArchitectureTests", "DaemonTests"]

  /// The targets of common test code that several test targets use, by name, with the modules on which they may depend.
  static let sharedTestTargets: [String: Set<String>] = [
    "TestSupport": [], "TestStore": ["GameConfCore", "GameConfStorage"],
  ]

  static let linesMax = 400

  /// The intended deviations: the name of the rule, the file or folder that may break it, and the decision record with the reason.
  static let decisions: [(rule: String, path: String, record: String)] = []

  /// The modules for other products' protocols, such as Firebase's. Only gameconfd imports them, so each can be removed with the lines that
  /// name it.
  static let faces: Set<String> = [
    "GameConfRevenueCat",
    "GameConfFirebase",
    "GameConfOFREP",
  ]

  /// The faces of gameconfctl, with their folders. Only `Faces.swift` names their types, and `.ci/faces` removes them.
  static let commandFaces: [String: [String]] = [
    "Bridge": ["Bridge", "Panel"],
    "Codegen": ["Codegen"],
    "MCP": ["MCP"],
  ]

  private static let face: Set<String> = ["GameConfCore", "GameConfEngine", "GameConfAPI", "GameConfServer", "GameConfHTTP"]

  private static let nio: Set<String> = ["NIOCore", "NIOPosix"]
}
