// The folder of mapped images: one folder a game, in it the present image and its control page.

internal import Glibc

/// The identity of an image in its header.
struct ImageIdentity: Equatable {
  /// Its checksum: the same content has the same name.
  let id: UInt64
  let bytes: Int
  let epoch: UInt64
  let revision: Int64

  /// Reads a header; nil for what is too short to have one.
  init?(_ image: [UInt8]) {
    guard image.count >= 128 else { return nil }
    bytes = image.count
    (id, epoch, revision) = image.withUnsafeBytes {
      (
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 24, as: UInt64.self)),
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 32, as: UInt64.self)),
        Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 40, as: Int64.self))
      )
    }
  }

  /// The file it lies in.
  var name: String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + Self.suffix
  }

  static let suffix = ".image"
}

/// Publishes images of games as files that processes map. For one thread.
///
/// A file that somebody may have mapped is never made shorter, since its readers would die of that: an image is written aside and renamed,
/// and replaced by another file; a control page keeps its length for ever.
///
/// ```swift
/// let folder = ImageFolder("/run/gameconfd/images", boot: boot)
/// try folder.publish(image, of: "wheresthedot")
/// folder.beat()    // each second
/// folder.stop()
/// ```
public final class ImageFolder {
  private struct PublishedFile {
    var folder: Folder
    var page: ControlPage
    var image: ImageIdentity?
  }

  /// The folder of the images.
  public let path: String
  private let boot: [UInt8]
  private var all: Folder?
  private var games: [String: PublishedFile] = [:]

  /// A folder of images, which need not be there yet.
  /// - Parameter boot: sixteen bytes that are others after each boot, see ``BootID``.
  public init(_ path: String, boot: [UInt8]) {
    self.path = path
    self.boot = boot
  }

  /// Opens the folder; makes it where it is not there.
  public func open() throws(ImageFault) {
    if let all, FileIdentity.Status(all.descriptor).map(\.identity) == FileIdentity.Status(path: path)?.identity { return }
    forgetAll()
    if mkdir(path, 0o755) == 0 { chmod(path, 0o755) }
    all = try Folder(path)
  }

  /// Makes an image the present one of its game.
  public func publish(_ image: [UInt8], of game: String) throws(ImageFault) {
    guard let identity = ImageIdentity(image) else { throw ImageFault("an image of \(game) is too short") }
    try open()
    var published: PublishedFile
    if let known = games[game] { published = known } else { published = try begin(game) }
    if published.image != identity { try published.folder.write(image, to: identity.name) }
    let former = published.image
    published.image = identity
    games[game] = published
    published.page.tell(.live, identity, boot: boot)
    // Who read its name a moment ago reads the page again.
    if let former, former.name != identity.name { published.folder.remove(former.name) }
    if former == nil { removeStrays(published) }
  }

  /// Says that all of them live.
  /// - Returns: the games whose page is no longer where it was; they have to be published anew.
  public func beat() -> [String] {
    var lost: [String] = []
    for (game, published) in games {
      let page = FileIdentity.Status(path: published.folder.path + "/" + ControlPage.name)
      let image = published.image.flatMap { FileIdentity.Status(path: published.folder.path + "/" + $0.name) }
      if page?.identity != published.page.identity || image == nil {
        // Who has it mapped still looks for another one.
        published.page.tell(.stopped, nil, boot: boot)
        games[game] = nil
        lost.append(game)
      } else {
        published.page.beat()
      }
    }
    return lost.sorted()
  }

  /// Takes a game's image away: its readers ask over the socket from now on.
  public func withdraw(_ game: String) {
    guard let all, isName(game) else { return }
    let published = games.removeValue(forKey: game)
    var (folder, page) = (published?.folder, published?.page)
    if folder == nil, Folder.names(in: path + "/" + game).contains(ControlPage.name) {
      // What an earlier daemon left; something else in the page's place just goes.
      folder = try? Folder(game, in: all)
      page = folder.flatMap { ControlPage.takeUp(in: $0) }
    }
    guard let folder else { return }
    page?.tell(.withdrawn, nil, boot: boot)
    folder.remove(ControlPage.name)
    removeImages(in: folder, but: nil)
    unlinkat(all.descriptor, game, AT_REMOVEDIR)
  }

  /// Takes away what is there of other games than these.
  public func withdrawAll(but kept: Set<String>) {
    guard (try? open()) != nil else { return }
    for name in Folder.names(in: path) where !kept.contains(name) && !name.hasPrefix(".") { withdraw(name) }
  }

  /// Says that nothing more comes; what is there stays.
  public func stop() {
    for published in games.values { published.page.tell(.stopped, published.image, boot: boot) }
    forgetAll()
  }

  /// The games that are published, in ascending order.
  public var published: [String] { games.keys.sorted() }

  private func forgetAll() {
    games = [:]
    all = nil
  }

  private func begin(_ game: String) throws(ImageFault) -> PublishedFile {
    guard let all, isName(game) else { throw ImageFault("\(game) cannot be the name of a folder") }
    let folder = try Folder(game, in: all)
    if let page = ControlPage.takeUp(in: folder) { return PublishedFile(folder: folder, page: page, image: nil) }
    return PublishedFile(folder: folder, page: try ControlPage.make(in: folder, boot: boot), image: nil)
  }

  private func isName(_ game: String) -> Bool { !game.isEmpty && !game.hasPrefix(".") && !game.utf8.contains(UInt8(ascii: "/")) }

  private func removeStrays(_ published: PublishedFile) { removeImages(in: published.folder, but: published.image?.name) }

  /// Images but the present one, and what was written aside when a daemon was killed.
  private func removeImages(in folder: Folder, but present: String?) {
    for name in Folder.names(in: folder.path) where name != present {
      let isAside = name.hasPrefix(".") && (name.contains(ImageIdentity.suffix) || name.contains(ControlPage.name))
      if name.hasSuffix(ImageIdentity.suffix) || isAside { folder.remove(name) }
    }
  }
}

/// The id that distinguishes one boot of a host from another.
public enum BootID {
  /// Sixteen bytes of the system's boot id.
  /// - Parameter given: its text as the service manager passes it, for where /proc has only processes; nil when it passes none.
  /// - Returns: nil where the system does not say.
  public static func bytes(given: String?) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let file = Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    if file >= 0 {
      defer { close(file) }
      let count = read(file, &buffer, buffer.count)
      if count > 0, let bytes = parse(buffer[..<count]) { return bytes }
    }
    return given.flatMap { parse($0.utf8) }
  }

  /// 32 digits of a hexadecimal number, dashes or not.
  static func parse(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var digits: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "-"), UInt8(ascii: "\n"): continue
      default: return nil
      }
    }
    guard digits.count == 32 else { return nil }
    return (0..<16).map { digits[$0 * 2] << 4 | digits[$0 * 2 + 1] }
  }
}
