// Tests the times at which mapped images are written, the limit of their rate, and the cases in which no image is written.

import GameConfCore
import GameConfEngine
import GameConfStorage
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GameConfHTTP
@testable import GameConfImages

@Suite("The writing of mapped images")
final class ImageRoundsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path }
  private let clock: HandMovedClock
  private let uptime = Mutex<Int64>(1_000)

  init() throws {
    folder = try TemporaryFolder()
    clock = try HandMovedClock("2026-06-01T10:00:00Z")
  }

  private func names(_ folder: String) -> [String] { Folder.names(in: path + "/" + folder) }

  /// Returns the path of the image that the game's control page names; nil without a control page.
  private func shown(_ game: String = "cave") -> String? {
    names(game).contains("control.1") ? names(game).first { $0.hasSuffix(".image") } : nil
  }

  private func rounds(isNarrowed: Bool = false) -> ImageRounds {
    ImageRounds(ImageFolder(path, boot: [UInt8](repeating: 1, count: 16)), clock: clock, isNarrowed: isNarrowed) {
      self.uptime.withLock { $0 }
    }
  }

  private func pass(_ milliseconds: Int64) {
    uptime.withLock { $0 += milliseconds }
    clock.move(seconds: Double(milliseconds) / 1000)
  }

  private func bytes(_ game: String = "cave") -> [UInt8] {
    guard let name = shown(game), let file = fopen("\(path)/\(game)/\(name)", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }

  private func has(_ text: String, _ game: String = "cave") -> Bool { String(decoding: bytes(game), as: UTF8.self).contains(text) }

  @Test("the first change of a game is written to its mapped image immediately; later ones within five milliseconds are written together")
  func coalesces() {
    let rounds = self.rounds()
    _ = rounds.round(World(games: [.served(revision: 1, daily: false)]))
    let first = shown()
    #expect(first != nil)
    _ = rounds.round(World(games: [.served(revision: 1, daily: false)]))
    #expect(shown() == first, "another object is another snapshot, and still within the pause")
    pass(4)
    let wait = rounds.round(World(games: [.served(revision: 2, daily: false)]))
    #expect(shown() == first && wait == 1)
    pass(1)
    let last = World(games: [.served(revision: 3, daily: false)])
    _ = rounds.round(last)
    let third = shown()
    #expect(third != first && third != nil && names("cave").count == 2)
    pass(100)
    #expect(rounds.round(last) > 100 && shown() == third, "nothing new, nothing written")
  }

  @Test("the bytes of mapped images written per second are limited, and a large game does not starve a small one")
  func rate() {
    let rounds = self.rounds()
    let long = String(repeating: "x", count: 900_000)
    func world(_ revision: Int64) -> World {
      let big = Parameter(key: "big", type: .string, defaultValue: .value(.string(long + "\(revision)")), section: "A", description: "Big.")
      return World(games: [
        .served("big", revision: revision, daily: false, more: [big]), .served("cave", revision: revision, daily: false),
      ])
    }
    var written = 0
    var caves: Set<String> = []
    var last = shown("big")
    for revision in 1...Int64(400) {
      _ = rounds.round(world(revision))
      if shown("big") != last { (written, last) = (written + bytes("big").count, shown("big")) }
      if let cave = shown("cave") { caves.insert(cave) }
      pass(5)
    }
    // The bytes of two seconds, plus one burst.
    #expect(written <= 2 * ImageLimits.bytesPerSecondMax + ImageLimits.bytesMax + long.utf8.count)
    #expect(written >= ImageLimits.bytesPerSecondMax && caves.count >= 8, "\(written) bytes, \(caves.count) images of the small game")
  }

  @Test("a value that changes at a known time is written to the mapped image at that time and not before")
  func edges() throws {
    let rounds = self.rounds()
    let world = World(games: [.served(revision: 1)])
    _ = rounds.round(world)
    let first = shown()
    // The value changes at midnight, in fourteen hours, so the next event is a heartbeat.
    #expect(rounds.round(world) <= ImageLimits.beatMilliseconds)
    for _ in 1..<10 {
      pass(3_600_000)
      _ = rounds.round(world)
    }
    #expect(shown() == first)
    pass(5 * 3_600_000 - 200)
    #expect(rounds.round(world) <= 200)
    pass(3_600_000)
    _ = rounds.round(world)
    _ = rounds.round(world)
    #expect(shown() != first)
  }

  @Test("a mapped image has no secret keys, and marks values that depend on the caller")
  func content() {
    var secret = Parameter(key: "token", type: .string, defaultValue: .value("hush-hush"), section: "A", description: "Secret.")
    secret.isSecret = true
    let rounds = self.rounds()
    _ = rounds.round(World(games: [.served(revision: 9, daily: false, more: [secret])]))
    #expect(has("second") && has("two") && !has("hush-hush") && !has("token"))
    // The entries follow the header and the table of sections. An entry's flags are at its byte 16. A localized value depends on the
    // caller.
    let image = bytes()
    let start = image.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 128 + 8, as: UInt64.self)) }
    let flags = (0..<4).map { at in image.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + at * 64 + 16, as: UInt32.self) } }
    #expect(flags == [0, 0, 1, 0])
  }

  @Test("the image of a game that is no longer served is withdrawn, and all images are if the games socket is restricted")
  func withdraws() {
    let rounds = self.rounds()
    _ = rounds.round(World(games: [.served("cave", daily: false), .served("reef", daily: false)]))
    #expect(names("") == ["cave", "reef"])
    pass(5)
    _ = rounds.round(World(games: [.served("reef", daily: false)]))
    #expect(names("") == ["reef"])
    rounds.stop()
    let narrowed = self.rounds(isNarrowed: true)
    _ = narrowed.round(World(games: [.served("reef", daily: false)]))
    #expect(names("").isEmpty && narrowed.troubles.isEmpty)
  }

  @Test("a mapped image of two mebibytes is published, and a longer one is reported instead", arguments: [(0, true), (1, false)])
  func longImages(over: Int, isPublished: Bool) {
    func world(_ length: Int) -> World {
      let text = String(repeating: "x", count: length)
      let big = Parameter(key: "big", type: .string, defaultValue: .value(.string(text)), section: "A", description: "Big.")
      return World(games: [.served(revision: 1, daily: false, more: [big])])
    }
    let first = self.rounds()
    _ = first.round(world(1_000_000))
    let rest = bytes().count - 1_000_000
    first.stop()
    let rounds = self.rounds()
    // The length of an image is a multiple of 64, so an image that exceeds the limit has at least 64 bytes more.
    _ = rounds.round(world(ImageLimits.bytesMax - rest - 64 + over * 256))
    #expect((shown() != nil) == isPublished && rounds.troubles.isEmpty == isPublished, "\(rounds.troubles)")
    if isPublished { #expect(bytes().count <= ImageLimits.bytesMax && bytes().count > ImageLimits.bytesMax - 256) }
  }

  @Test("a folder in which images cannot be written is reported as a fault, and the write is repeated each second")
  func storeError() {
    let rounds = self.rounds()
    rmdir(path)
    fclose(fopen(path, "w"))
    let world = World(games: [.served(revision: 1, daily: false)])
    for _ in 0..<3 {
      #expect((100...1_000).contains(rounds.round(world)))
      #expect(rounds.troubles.count == 1 && rounds.troubles[0].contains(path), "\(rounds.troubles)")
      pass(1_000)
    }
    unlink(path)
    _ = rounds.round(world)
    #expect(rounds.troubles.isEmpty && shown() != nil)
    // The folder disappears while an image is written to it.
    pass(1_000)
    unlink("\(path)/cave/control.1")
    _ = rounds.round(world)
    #expect(shown() != nil)
  }

  @Test("a new epoch causes a new mapped image of a game, even if the game's snapshot is the same")
  func epochs() {
    let rounds = self.rounds()
    let game = GameSnapshot.served(revision: 1, daily: false)
    var state = StoredState()
    _ = rounds.round(World(games: [game], state: state))
    let first = shown()
    pass(5)
    state.epoch = 2
    _ = rounds.round(World(games: [game], state: state))
    #expect(shown() != first)
  }
}
