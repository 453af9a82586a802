// The house's floor plan: which module may import which, and what belongs at the top of the repository.

/// One room: a module and what its files may import.
struct Room: Sendable {
  let module: String
  /// Modules of this package.
  let own: Set<String>
  /// Modules from outside; `Synchronization` is allowed everywhere, `Glibc` everywhere but in the core.
  let outside: Set<String>

  var mayImport: Set<String> {
    own.union(outside).union(module == "GameConfCore" ? ["Synchronization"] : ["Synchronization", "Glibc"])
  }
}

/// The rules' knowledge of the house.
enum House {
  /// Bottom first. Rooms that are planned but not built yet may stand here.
  static let rooms: [Room] = [
    Room(module: "GameConfCore", own: [], outside: []),
    Room(module: "GameConfZones", own: ["GameConfCore"], outside: []),
    Room(module: "GameConfFormats", own: ["GameConfCore", "GameConfZones"], outside: []),
    Room(module: "GameConfEngine", own: ["GameConfCore"], outside: ["HashTreeCollections"]),
    Room(module: "CSQLite", own: [], outside: []),
    Room(module: "CPostgres", own: [], outside: []),
    Room(module: "GameConfStorage", own: ["GameConfCore", "GameConfEngine", "CSQLite", "CPostgres"], outside: ["CoreMetrics"]),
    Room(module: "GameConfAPI", own: ["GameConfCore"], outside: []),
    Room(module: "GameConfServer", own: ["GameConfCore"], outside: nio),
    Room(module: "CFutex", own: [], outside: []),
    Room(module: "GameConfImages", own: ["CFutex"], outside: []),
    Room(module: "CZlib", own: [], outside: []),
    Room(
      module: "GameConfHTTP", own: ["GameConfCore", "GameConfEngine", "GameConfAPI", "GameConfServer", "GameConfImages", "CZlib"],
      outside: ["CoreMetrics", "NIOCore"]),
    Room(module: "GameConfTransport", own: ["GameConfAPI"], outside: nio),
    Room(module: "CGameConf", own: [], outside: []),
    Room(module: "GameConfClient", own: ["CGameConf"], outside: []),
    Room(module: "CSystemd", own: [], outside: []),
    Room(module: "GameConfSystemd", own: ["GameConfCore", "CSystemd"], outside: ["Logging", "ServiceLifecycle"]),
    Room(
      module: "gameconfd",
      own: [
        "GameConfCore", "GameConfZones", "GameConfFormats", "GameConfEngine", "GameConfStorage", "GameConfAPI", "GameConfServer",
        "GameConfHTTP", "GameConfImages", "GameConfSystemd",
      ],
      outside: ["CoreMetrics", "Logging", "ServiceLifecycle", "UnixSignals"]),
    Room(module: "CPanel", own: [], outside: []),
    Room(
      module: "gameconfctl",
      own: ["GameConfCore", "GameConfFormats", "GameConfAPI", "GameConfTransport", "CPanel"],
      outside: ["ArgumentParser"]),
    Room(module: "CCurl", own: [], outside: []),
    Room(module: "CCrypto", own: [], outside: []),
    Room(
      module: "gameconf-fetch",
      own: ["GameConfCore", "GameConfFormats", "GameConfAPI", "GameConfTransport", "GameConfSystemd", "CCurl", "CCrypto"],
      outside: ["Logging", "NIOPosix"]),
  ]

  static func room(_ module: String) -> Room? { rooms.first { $0.module == module } }

  /// A package's product stands for these modules.
  static func modules(ofProduct product: String) -> Set<String> {
    switch product {
    case "NIO": nio
    default: [product]
    }
  }

  /// What may stand at the top, beside files whose names begin with a dot.
  static let topLevel: Set<String> = ["Package.swift", "Sources", "Tests", "Defaults", "systemd", "README.md", "Makefile"]

  /// Folders under `Tests` that hold no test target: programs and scripts.
  static let testFoldersWithoutTarget: Set<String> = ["Benchmarks", "Clients", "Fixtures", "System"]

  /// Test targets that are named for no single module.
  static let testTargetsAcrossModules: Set<String> = ["ArchitectureTests", "DaemonTests"]

  /// The targets that several test targets share, with what each may depend on.
  static let sharedTestTargets: [String: Set<String>] = [
    "TestSupport": [], "TestStore": ["GameConfCore", "GameConfEngine", "GameConfStorage"],
  ]

  static let linesMax = 400

  /// Deviations that were decided on purpose: the rule, the file or folder, and the record that says why.
  static let decisions: [(rule: String, path: String, record: String)] = []

  private static let nio: Set<String> = ["NIOCore", "NIOPosix"]
}
