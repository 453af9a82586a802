// swift-tools-version: 6.2

// The project's benchmarks, run together with those of comparable programs. A separate package, so that the product has none of its dependencies.
import PackageDescription

let package = Package(
  name: "gameconf-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "gameconfd", path: "../..")],
  targets: [
    .target(name: "CLoad", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("dl")]),
    .executableTarget(name: "bench", dependencies: ["CLoad", .product(name: "GameConfCore", package: "gameconfd")]),
  ],
  swiftLanguageModes: [.v6]
)
