// swift-tools-version: 6.2

// The figures of the project beside its peers' in one run; a package of its own, so that nothing here weighs on what ships.
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
