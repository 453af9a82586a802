// Tests the image files that games map into memory, in a real folder. The daemon writes them, publishes them on a control page, adopts
// those of an earlier daemon, and withdraws them.
import Glibc
import TestSupport
import Testing

@testable import GameConfImages

@Suite("The folder in which the daemon publishes mapped images")
struct ImageFolderTests {
  private static let boot = [UInt8](1...16)

  /// Returns the bytes of an image file of which only the header fields that identify it are set.
  private func image(_ id: UInt64, revision: Int64 = 1, bytes: Int = 192) -> [UInt8] {
    var image = [UInt8](repeating: 0, count: bytes)
    image.withUnsafeMutableBytes {
      $0.storeBytes(of: id, toByteOffset: 24, as: UInt64.self)
      $0.storeBytes(of: 77, toByteOffset: 32, as: UInt64.self)
      $0.storeBytes(of: revision, toByteOffset: 40, as: Int64.self)
    }
    return image
  }

  /// The fields of a control page, decoded as a game decodes them.
  private struct Page: Equatable {
    var generation: UInt32
    var state: UInt32
    var image: UInt64
    var bytes: UInt64
    var revision: Int64
    var heartbeat: Int64
    var head: [UInt8]

    init?(_ path: String) {
      guard let bytes = read(path), bytes.count == 4096 else { return nil }
      func word<Word: FixedWidthInteger>(_ at: Int) -> Word {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: Word.self) }
      }
      (generation, state, image, self.bytes) = (word(32), word(36), word(48), word(56))
      (revision, heartbeat, head) = (word(72), word(40), Array(bytes[..<32]))
    }
  }

  @Test("a published image is a new file that the control page names, and the previous image file is removed")
  func publishes() throws {
    let place = try ImageFixture()
    let folder = ImageFolder(place.path + "/images", boot: Self.boot)
    try folder.publish(image(0xAB), of: "dots")
    #expect(names(place.game) == ["00000000000000ab.image", "control.1"])
    let first = try #require(Page(place.page))
    #expect(first.head == [0x89, 0x47, 0x43, 0x43, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 0, 0, 0, 16, 0, 0] + Self.boot)
    #expect(first.state == 1 && first.image == 0xAB && first.bytes == 192 && first.generation % 2 == 0)
    #expect(abs(first.heartbeat - BootTime.milliseconds) < 600_000)
    #expect(mode(place.page) == 0o664 && mode(place.game + "/00000000000000ab.image") == 0o644 && mode(place.game) == 0o755)

    let inode = FileIdentity.Status(path: place.page)?.identity
    try folder.publish(image(0xCD, revision: 2, bytes: 256), of: "dots")
    #expect(names(place.game) == ["00000000000000cd.image", "control.1"])
    let second = try #require(Page(place.page))
    #expect(second.image == 0xCD && second.bytes == 256 && second.revision == 2 && second.generation > first.generation)
    #expect(FileIdentity.Status(path: place.page)?.identity == inode)

    #expect(folder.beat().isEmpty && Page(place.page)?.generation == second.generation)
    folder.stop()
    let stopped = try #require(Page(place.page))
    #expect(stopped.state == 2 && stopped.image == 0xCD && stopped.generation > second.generation)
    #expect(names(place.game) == ["00000000000000cd.image", "control.1"])
  }

  @Test("every user can read a published image, with any umask of the daemon")
  func umasked() throws {
    let place = try ImageFixture()
    let former = umask(0o077)
    defer { umask(former) }
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(1), of: "dots")
    #expect(mode(place.path + "/images") == 0o755 && mode(place.game) == 0o755)
    #expect(mode(place.page) == 0o664 && mode(place.game + "/0000000000000001.image") == 0o644)
  }

  @Test("the next daemon adopts the control page, and removes the image files that a killed daemon left")
  func takesUp() throws {
    let place = try ImageFixture()
    let first = ImageFolder(place.path + "/images", boot: Self.boot)
    try first.publish(image(1), of: "dots")
    let inode = FileIdentity.Status(path: place.page)?.identity
    let before = try #require(Page(place.page))
    write([1, 2, 3], to: place.game + "/.0000000000000009.image.4711")
    write([1, 2, 3], to: place.game + "/0000000000000008.image")
    write([1, 2, 3], to: place.game + "/of-somebody-else")

    let second = ImageFolder(place.path + "/images", boot: [UInt8](repeating: 7, count: 16))
    try second.publish(image(2, revision: 5), of: "dots")
    let after = try #require(Page(place.page))
    #expect(FileIdentity.Status(path: place.page)?.identity == inode && after.generation > before.generation)
    #expect(after.image == 2 && Array(after.head[16...]) == [UInt8](repeating: 7, count: 16))
    #expect(names(place.game) == ["0000000000000002.image", "control.1", "of-somebody-else"])
  }

  @Test("files in a folder with setgid belong to the folder's group, and a daemon of another user in the group adopts the control page")
  func otherUser() throws {
    // Only root can change the owner of a file.
    if geteuid() != 0 { return }
    let place = try ImageFixture()
    mkdir(place.path + "/images", 0o755)
    chown(place.path + "/images", 0, 12_345)
    chmod(place.path + "/images", 0o2775)
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(1), of: "dots")
    #expect(mode(place.game) == 0o2775 && mode(place.page) == 0o664)
    let made = [place.game, place.page, place.game + "/0000000000000001.image"].map { FileIdentity.Status(path: $0)?.group }
    #expect(made == [12_345, 12_345, 12_345])
    chown(place.page, 54_321, 12_345)
    let inode = FileIdentity.Status(path: place.page)?.identity
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(2), of: "dots")
    #expect(FileIdentity.Status(path: place.page)?.identity == inode && Page(place.page)?.image == 2)
  }

  @Test("a control page that a killed daemon left with an odd generation is made valid by the next daemon")
  func halfWritten() throws {
    let place = try ImageFixture()
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(1), of: "dots")
    var bytes = try #require(read(place.page))
    bytes[32] |= 1
    write(bytes, to: place.page)
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(2), of: "dots")
    let after = try #require(Page(place.page))
    #expect(after.generation % 2 == 0 && after.image == 2)
  }

  enum ControlPageDamage: CaseIterable {
    case short, long, magic, major, length, directory, link, fifo, forAll, linked, strange
  }

  @Test("an invalid control page is replaced by a new file, and the old one is not written to", arguments: ControlPageDamage.allCases)
  func refuses(spoilt: ControlPageDamage) throws {
    let place = try ImageFixture()
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(1), of: "dots")
    var bytes = try #require(read(place.page))
    let other = place.path + "/other"
    switch spoilt {
    case .short: truncate(place.page, 100)
    case .long: truncate(place.page, 8192)
    case .magic:
      bytes[3] = 0x49
      write(bytes, to: place.page)
    case .major:
      bytes[8] = 2
      write(bytes, to: place.page)
    case .length:
      bytes[13] = 32
      write(bytes, to: place.page)
    case .directory:
      unlink(place.page)
      mkdir(place.page, 0o755)
    case .link:
      rename(place.page, other)
      symlink(other, place.page)
    case .fifo:
      unlink(place.page)
      mkfifo(place.page, 0o664)
    case .forAll: chmod(place.page, 0o666)
    case .linked: link(place.page, other)
    case .strange:
      // Only root can create a file of another owner.
      if geteuid() == 0 { chown(place.page, 12_345, 12_345) } else { unlink(place.page) }
    }
    // The new control page may reuse the inode number of the removed folder, so the inode is not compared in this case.
    let before = spoilt == .directory ? nil : FileIdentity.Status(path: place.page)?.identity
    let left = spoilt == .link || spoilt == .linked ? read(other) : nil
    let folder = ImageFolder(place.path + "/images", boot: Self.boot)
    if spoilt == .directory {
      // A folder cannot be replaced by a file, so the daemon reports an error. It can publish after the folder is removed.
      #expect(throws: ImageFault.self) { try folder.publish(image(2), of: "dots") }
      rmdir(place.page)
    }
    try folder.publish(image(2), of: "dots")
    let after = try #require(Page(place.page))
    #expect(after.image == 2 && after.state == 1 && FileIdentity.Status(path: place.page)?.identity != before)
    if let left { #expect(read(other) == left, "what lay elsewhere was written to") }
  }

  @Test("an image is not written through a symbolic link, with an invalid game id, or without a whole header")
  func foreignFolder() throws {
    let place = try ImageFixture()
    mkdir(place.path + "/images", 0o755)
    mkdir(place.path + "/elsewhere", 0o755)
    symlink(place.path + "/elsewhere", place.game)
    let folder = ImageFolder(place.path + "/images", boot: Self.boot)
    #expect(throws: ImageFault.self) { try folder.publish(image(1), of: "dots") }
    #expect(names(place.path + "/elsewhere").isEmpty)
    for name in ["", "a/b", "..", ".hidden"] { #expect(throws: ImageFault.self) { try folder.publish(image(1), of: name) } }
    #expect(throws: ImageFault.self) { try folder.publish([1, 2, 3], of: "short") }
  }

  @Test("withdrawing a game's image deletes its files, and the control page shows that to games that have it mapped")
  func withdraws() throws {
    let place = try ImageFixture()
    let folder = ImageFolder(place.path + "/images", boot: Self.boot)
    try folder.publish(image(1), of: "dots")
    let mapped = try #require(MappedControlPage(place.page))
    folder.withdraw("dots")
    #expect(mapped.state == 3 && !exists(place.game) && folder.published.isEmpty)
    // Here an earlier daemon served the game “dots”, and the next daemon does not serve it.
    try ImageFolder(place.path + "/images", boot: Self.boot).publish(image(2), of: "dots")
    let left = try #require(MappedControlPage(place.page))
    let next = ImageFolder(place.path + "/images", boot: Self.boot)
    try next.publish(image(3), of: "darts")
    next.withdrawAll(but: ["darts"])
    #expect(left.state == 3 && names(place.path + "/images") == ["darts"])
  }

  @Test("after a control page, an image file or the folder was removed, the heartbeat reports the games whose images are lost")
  func lost() throws {
    let place = try ImageFixture()
    let folder = ImageFolder(place.path + "/images", boot: Self.boot)
    try folder.publish(image(1), of: "dots")
    try folder.publish(image(1), of: "darts")
    let mapped = try #require(MappedControlPage(place.page))
    unlink(place.page)
    #expect(folder.beat() == ["dots"] && mapped.state == 2)
    try folder.publish(image(1), of: "dots")
    unlink(place.game + "/0000000000000001.image")
    #expect(folder.beat() == ["dots"])
    try folder.publish(image(1), of: "dots")
    #expect(folder.beat().isEmpty)
    rename(place.path + "/images", place.path + "/moved")
    #expect(folder.beat() == ["darts", "dots"])
    try folder.publish(image(1), of: "dots")
    #expect(names(place.game) == ["0000000000000001.image", "control.1"] && folder.beat().isEmpty)
  }

  @Test("publishing into a folder that cannot be created throws an error with the path, and a later attempt succeeds")
  func unwritable() throws {
    let place = try ImageFixture()
    write([1], to: place.path + "/images")
    let folder = ImageFolder(place.path + "/images", boot: Self.boot)
    let fault = #expect(throws: ImageFault.self) { try folder.publish(image(1), of: "dots") }
    #expect(fault?.message.contains(place.path + "/images") == true && fault?.code == ENOTDIR)
    unlink(place.path + "/images")
    try folder.publish(image(1), of: "dots")
    #expect(folder.published == ["dots"])
  }

  @Test("a boot id of the kernel is parsed with and without dashes, and any other text is rejected")
  func bootIDs() {
    #expect(BootID.parse("00112233-4455-6677-8899-aabbccddeeff\n".utf8) == BootID.parse("00112233445566778899aabbccddeeff".utf8))
    #expect(BootID.parse("00112233445566778899aabbccddeeff".utf8)?[15] == 0xFF)
    for bad in ["", "0011", "00112233445566778899aabbccddeefg", "00112233445566778899aabbccddeeff00"] {
      #expect(BootID.parse(bad.utf8) == nil)
    }
  }
}

/// The temporary folder of one test, with the paths of a game's files in it.
private final class ImageFixture {
  private let folder: TemporaryFolder
  var path: String { folder.path }
  var game: String { path + "/images/dots" }
  var page: String { game + "/control.1" }

  init() throws { folder = try TemporaryFolder() }
}

/// A control page that the test maps as a game does. It can be read even after its file is removed.
private final class MappedControlPage {
  private let base: UnsafeMutableRawPointer

  init?(_ path: String) {
    let file = open(path, O_RDONLY)
    guard file >= 0, let base = mmap(nil, 4096, PROT_READ, MAP_SHARED, file, 0), base != MAP_FAILED else { return nil }
    close(file)
    self.base = base
  }

  deinit { munmap(base, 4096) }

  var state: UInt32 { base.load(fromByteOffset: 36, as: UInt32.self) }
}

private func names(_ path: String) -> [String] { Folder.names(in: path) }
private func exists(_ path: String) -> Bool { FileIdentity.Status(path: path) != nil }
private func mode(_ path: String) -> mode_t? { FileIdentity.Status(path: path).map { $0.mode & 0o7777 } }

private func read(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes[..<count])
}

private func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "w") else { return }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}
