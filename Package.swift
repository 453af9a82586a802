// swift-tools-version: 6.2

// The modules, bottom first: each target may depend on those above it in this file only.
// Tests/ArchitectureTests holds every file's imports against the same table.
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nio = [nioCore, .product(name: "NIOPosix", package: "swift-nio")]
let collections = Target.Dependency.product(name: "HashTreeCollections", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

// The faces: other protocols over the daemon's services. `.ci/faces` removes each with the lines that name it.
let faces: [Target.Dependency] = [
  "GameConfRevenueCat",
  "GameConfFirebase",
  "GameConfOFREP",
]
let face: [Target.Dependency] = ["GameConfCore", "GameConfEngine", "GameConfAPI", "GameConfServer", "GameConfHTTP"]

let package = Package(
  name: "gameconfd",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "gameconfd", targets: ["gameconfd"]),
    .executable(name: "gameconfctl", targets: ["gameconfctl"]),
    .executable(name: "gameconf-fetch", targets: ["gameconf-fetch"]),
    .library(name: "GameConfCore", targets: ["GameConfCore"]),
    .library(name: "GameConfTransport", targets: ["GameConfTransport"]),
    .library(name: "CGameConf", targets: ["CGameConf"]),
    .library(name: "GameConfClient", targets: ["GameConfClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    .target(name: "GameConfCore", swiftSettings: strict),
    .target(name: "GameConfOutput", swiftSettings: strict),
    .target(name: "GameConfZones", dependencies: ["GameConfCore"], swiftSettings: strict),
    .target(name: "GameConfFormats", dependencies: ["GameConfCore", "GameConfZones"], swiftSettings: strict),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CPostgres", swiftSettings: strict),
    .target(
      name: "GameConfStorage",
      dependencies: ["GameConfCore", "CSQLite", "CPostgres", collections, metrics],
      swiftSettings: strict),
    .target(name: "GameConfEngine", dependencies: ["GameConfCore", "GameConfStorage"], swiftSettings: strict),
    .systemLibrary(name: "CGameConfHeader"),
    .target(name: "GameConfAPI", dependencies: ["GameConfCore", "CGameConfHeader"], swiftSettings: strict),
    .target(name: "GameConfServer", dependencies: ["GameConfCore"] + nio, swiftSettings: strict),
    .systemLibrary(name: "CFutex"),
    .target(name: "GameConfImages", dependencies: ["CFutex"], swiftSettings: strict),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "GameConfHTTP",
      dependencies: [
        "GameConfCore", "GameConfStorage", "GameConfEngine", "GameConfAPI", "GameConfServer", "GameConfImages", "CZlib", metrics,
        nioCore,
      ],
      swiftSettings: strict),
    .target(name: "GameConfRevenueCat", dependencies: face + ["GameConfStorage"], swiftSettings: strict),
    .target(name: "GameConfFirebase", dependencies: face + ["GameConfStorage", "CZlib", nioCore], swiftSettings: strict),
    .target(name: "GameConfOFREP", dependencies: face, swiftSettings: strict),
    .target(name: "GameConfTransport", dependencies: ["GameConfAPI"], swiftSettings: strict),
    .target(name: "CGameConf", exclude: ["wrappers", "sample"], swiftSettings: strict),
    .target(name: "GameConfClient", dependencies: ["CGameConf"], swiftSettings: strict),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "GameConfSystemd",
      dependencies: ["GameConfCore", "CSystemd", logging, lifecycle],
      swiftSettings: strict),
    .executableTarget(
      name: "gameconfd",
      dependencies: faces + [
        "GameConfCore", "GameConfZones", "GameConfFormats", "GameConfStorage", "GameConfEngine", "GameConfAPI", "GameConfServer",
        "GameConfHTTP", "GameConfImages", "GameConfSystemd", "GameConfOutput", lifecycle, logging, metrics,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
    .target(name: "CPanel", exclude: ["page"], swiftSettings: strict),
    .executableTarget(
      name: "gameconfctl",
      dependencies: [
        "GameConfCore", "GameConfOutput", "GameConfFormats", "GameConfAPI", "GameConfTransport",
        "CPanel",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .target(name: "CCurl", swiftSettings: strict),
    .target(name: "CCrypto", swiftSettings: strict),
    .executableTarget(
      name: "gameconf-fetch",
      dependencies: [
        "GameConfCore", "GameConfOutput", "GameConfFormats", "GameConfAPI", "GameConfTransport", "GameConfSystemd", "CCurl", "CCrypto",
        logging,
      ],
      swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "TestStore", dependencies: ["GameConfStorage", "GameConfCore"], path: "Tests/TestStore", swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(name: "GameConfClientTests", dependencies: ["GameConfClient"], swiftSettings: strict),
    .testTarget(name: "GameConfCoreTests", dependencies: ["GameConfCore", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "GameConfZonesTests", dependencies: ["GameConfZones", "GameConfCore"], swiftSettings: strict),
    .testTarget(
      name: "GameConfFormatsTests",
      dependencies: ["GameConfFormats", "GameConfZones", "GameConfCore", "TestSupport", .product(name: "Yams", package: "Yams")],
      swiftSettings: strict),
    .testTarget(
      name: "GameConfEngineTests", dependencies: ["GameConfEngine", "GameConfStorage", "GameConfCore", "TestStore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GameConfStorageTests",
      dependencies: ["GameConfStorage", "GameConfEngine", "GameConfCore", "CSQLite", "TestStore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GameConfServerTests",
      dependencies: ["GameConfServer", "GameConfCore", "TestSupport", .product(name: "NIOEmbedded", package: "swift-nio")] + nio,
      swiftSettings: strict),
    .testTarget(name: "GameConfImagesTests", dependencies: ["GameConfImages", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "GameConfHTTPTests",
      dependencies: [
        "GameConfHTTP", "GameConfServer", "GameConfImages", "GameConfEngine", "GameConfStorage", "GameConfAPI", "GameConfCore",
        "TestStore", "TestSupport", metrics,
        nioCore, .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "GameConfRevenueCatTests",
      dependencies: ["GameConfRevenueCat", "GameConfEngine", "GameConfStorage", "GameConfCore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "GameConfFirebaseTests", dependencies: ["GameConfFirebase", "GameConfHTTP"], swiftSettings: strict),
    .testTarget(name: "GameConfAPITests", dependencies: ["GameConfAPI", "GameConfCore"], swiftSettings: strict),
    .testTarget(
      name: "GameConfTransportTests", dependencies: ["GameConfTransport", "GameConfAPI", "TestSupport"] + nio, swiftSettings: strict),
    .testTarget(
      name: "GameConfCtlTests", dependencies: ["gameconfctl", "GameConfAPI", "GameConfTransport", "GameConfCore", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GameConfFetchTests", dependencies: ["gameconf-fetch", "GameConfTransport", "GameConfCore"], swiftSettings: strict),
    .testTarget(
      name: "GameConfSystemdTests", dependencies: ["GameConfSystemd", "TestSupport", logging], swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "GameConfCore", "GameConfEngine", "GameConfStorage", "GameConfClient", "gameconfd", "gameconfctl", "gameconf-fetch",
        "GameConfTransport",
        "TestSupport",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
