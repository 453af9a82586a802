// The files of the state directory: atomic writes, detection of damage, and the lock of one daemon.
import GameConfCore
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("State files")
struct StateFilesTests {
  let temporary: TemporaryFolder
  let state: StateDirectory

  init() throws {
    temporary = try TemporaryFolder()
    state = try StateDirectory(path: temporary.path + "/state/deep/")
  }

  private var wheresthedot: AcceptedCatalog {
    AcceptedCatalog(
      game: "wheresthedot",
      files: [
        AcceptedFile(name: "wheresthedot.yaml", bytes: Array("a: 1\nend 0\n".utf8)),
        AcceptedFile(name: "wheresthedot.d/10 local.yaml", bytes: [0, 255, 10, 10]), AcceptedFile(name: "empty.yaml", bytes: []),
      ])
  }

  @Test("a second daemon on a state directory is refused until the first one ends")
  func lock() throws {
    let error = #expect(throws: StateFault.self) { try StateDirectory(path: state.path) }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("--state-dir") == true)
    state.unlock()
    _ = try StateDirectory(path: state.path)
  }

  @Test("a folder's file names are listed whole, from one byte to the longest that is possible")
  func longNames() throws {
    let names = [String(repeating: "n", count: 255), String(repeating: "é", count: 127), "a", "backup-before-season.db"]
    for name in names { try temporary.write([1], to: "state/deep/\(name)") }
    #expect(Set(try Files.names(in: temporary.path + "/state/deep")).isSuperset(of: names))
    #expect(try Files.names(in: temporary.path + "/nowhere").isEmpty)
  }

  @Test("a state directory below a regular file cannot be created")
  func belowAFile() throws {
    try temporary.write([1], to: "file")
    #expect(throws: StateFault.self) { try StateDirectory(path: temporary.path + "/file/state") }
  }

  @Test("a game's accepted catalog is read back byte for byte, as it was stored last")
  func acceptedRoundTrip() throws {
    let accepted = AcceptedCatalogFiles(in: state, owner: StateOwner())
    #expect(accepted.load() == AcceptedCatalogContents())
    try accepted.store(AcceptedCatalog(game: "wheresthedot", files: [AcceptedFile(name: "old", bytes: [1])]))
    try accepted.store(wheresthedot)
    try accepted.store(AcceptedCatalog(game: "adventure", files: []))
    #expect(accepted.load() == AcceptedCatalogContents(catalogs: [AcceptedCatalog(game: "adventure", files: []), wheresthedot]))
    try accepted.remove(game: "adventure")
    try accepted.remove(game: "adventure")
    #expect(accepted.load().catalogs == [wheresthedot])
  }

  @Test("a stored catalog that is truncated or changed at any byte is a fault of its game alone, and its file is not moved")
  func acceptedDamaged() throws {
    let accepted = AcceptedCatalogFiles(in: state, owner: StateOwner())
    try accepted.store(AcceptedCatalog(game: "adventure", files: []))
    try accepted.store(wheresthedot)
    let good = try temporary.read("state/deep/accepted/wheresthedot.accepted")
    for count in good.indices {
      var changed = good
      changed[count] ^= 1
      for bytes in [Array(good[..<count]), changed] {
        try temporary.write(bytes, to: "state/deep/accepted/wheresthedot.accepted")
        let found = accepted.load()
        #expect(found.catalogs.map(\.game) == ["adventure"])
        #expect(found.faults.map(\.code) == [.damaged])
      }
    }
    #expect(temporary.names(in: "state/deep/accepted").contains("wheresthedot.accepted"))
  }

  @Test("a catalog with an invalid game id or file name is not stored", arguments: ["../x", "a/b", ".hidden", "", "a\nb"])
  func acceptedNames(game: String) throws {
    let accepted = AcceptedCatalogFiles(in: state, owner: StateOwner())
    #expect(throws: StateFault.self) { try accepted.store(AcceptedCatalog(game: game, files: [])) }
    #expect(accepted.load() == AcceptedCatalogContents())
    #expect(throws: StateFault.self) {
      try accepted.store(AcceptedCatalog(game: "good", files: [AcceptedFile(name: "a\nfile 0 b", bytes: [])]))
    }
  }

  @Test("the last good state is read back from last-good.json unchanged")
  func lastGoodRoundTrip() throws {
    let file = LastGoodFile(in: state)
    #expect(try file.load() == nil)
    let author = Author(uid: 4_294_967_295, name: "zoë \"x\"", pid: 12)
    let slot = OverrideSlot(game: "wheresthedot", player: "p/1", key: "arcade_time_limit_base")
    let window = OverrideWindow(id: "w8", from: Instant(milliseconds: -5), until: Instant(milliseconds: 7), isOpen: true)
    var stored = StoredState(
      revisions: ["wheresthedot": 1 << 61, "adventure": 0], playerRevisionMax: 12, templates: ["wheresthedot": ["version": 3]])
    stored.put(
      KeyOverrides(
        slot: slot,
        records: [
          OverrideRecord(slot: slot, value: 3.0, author: author, reason: "line\nbreak", at: Instant(milliseconds: 1), revision: 7),
          OverrideRecord(
            slot: slot, window: window, value: [nil, 3, ["a": "\u{1F600}"]], author: Author(uid: 0, name: "root"),
            at: Instant(milliseconds: 2),
            revision: 8, quarantined: "no longer admitted"),
        ]))
    let saved = LastGoodState(savedAt: Instant(milliseconds: 99), state: stored)
    try file.store(saved)
    #expect(try file.load() == saved)
  }

  @Test("a damaged last-good.json is reported and not moved", arguments: ["", "{", "{}", "[1]", "{\"gameconfd_last_good\":2}"])
  func lastGoodDamaged(text: String) throws {
    let file = LastGoodFile(in: state)
    try temporary.write(Array(text.utf8), to: "state/deep/last-good.json")
    let error = #expect(throws: StateFault.self) { try file.load() }
    #expect(error?.code == .damaged)
    #expect(try temporary.read("state/deep/last-good.json") == Array(text.utf8))
  }
}
