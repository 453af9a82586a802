// swift-tools-version: 6.2

// The project's benchmarks, which also run the programs that the daemon is compared with. They are a package of their own, so that the
// product does not depend on the libraries that they link.
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
