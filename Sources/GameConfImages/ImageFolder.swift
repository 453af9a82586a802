// The folder of mapped images: a subfolder for each game with the current image and its control page.

internal import Glibc

/// The fields in an image file's header that identify the image to readers.
struct ImageIdentity: Equatable {
  /// The checksum of the image. It is a part of the file's name, so images with equal contents have the same name.
  let id: UInt64
  let bytes: Int
  let epoch: UInt64
  let revision: Int64

  /// Reads the header of an image; returns nil if the image is too short.
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

  /// The name of the image's file: ``id`` as 16 hexadecimal digits, and `.image`.
  var name: String {
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + Self.suffix
  }

  static let suffix = ".image"
}

/// Publishes the images of games as files that other processes map, for use by one thread.
///
/// A file that may be mapped is never truncated, because its readers would receive SIGBUS. An image is written to a temporary file and
/// renamed, and a new image is another file. A control page never changes its length.
///
/// ```swift
/// let folder = ImageFolder("/run/gameconfd/images", boot: boot)
/// try folder.publish(image, of: "wheresthedot")
/// folder.beat()  // each second
/// folder.stop()
/// ```
public final class ImageFolder {
  private struct PublishedFile {
    var folder: Folder
    var page: ControlPage
    var image: ImageIdentity?
  }

  /// The path of the folder that contains the subfolders of the games.
  public let path: String
  private let boot: [UInt8]
  private var all: Folder?
  private var games: [String: PublishedFile] = [:]

  /// Creates a publisher of images in a folder, which need not exist yet.
  /// - Parameter boot: Sixteen bytes that identify the present boot of the host, see ``BootID``.
  public init(_ path: String, boot: [UInt8]) {
    self.path = path
    self.boot = boot
  }

  /// Opens the folder, and creates it if it does not exist.
  public func open() throws(ImageFault) {
    if let all, FileIdentity.Status(all.descriptor).map(\.identity) == FileIdentity.Status(path: path)?.identity { return }
    forgetAll()
    if mkdir(path, 0o755) == 0 { chmod(path, 0o755) }
    all = try Folder(path)
  }

  /// Makes an image the current one of its game, and removes the former one.
  public func publish(_ image: [UInt8], of game: String) throws(ImageFault) {
    guard let identity = ImageIdentity(image) else { throw ImageFault("an image of \(game) is too short") }
    try open()
    var published: PublishedFile
    if let known = games[game] { published = known } else { published = try begin(game) }
    if published.image != identity { try published.folder.write(image, to: identity.name) }
    let former = published.image
    published.image = identity
    games[game] = published
    published.page.store(.live, identity, boot: boot)
    // A reader that has just read the former image's name finds no file, and then reads the control page again.
    if let former, former.name != identity.name { published.folder.remove(former.name) }
    if former == nil { removeStrays(published) }
  }

  /// Updates the heartbeat in the control pages of all games, by which readers see that the daemon is alive.
  /// - Returns: The games whose control page or image is missing or replaced, which the caller must publish again.
  public func beat() -> [String] {
    var lost: [String] = []
    for (game, published) in games {
      let page = FileIdentity.Status(path: published.folder.path + "/" + ControlPage.name)
      let image = published.image.flatMap { FileIdentity.Status(path: published.folder.path + "/" + $0.name) }
      if page?.identity != published.page.identity || image == nil {
        // Processes that have mapped the replaced control page read in it that they must open another one.
        published.page.store(.stopped, nil, boot: boot)
        games[game] = nil
        lost.append(game)
      } else {
        published.page.beat()
      }
    }
    return lost.sorted()
  }

  /// Removes a game's image and control page. Processes that have mapped them then use the socket.
  public func withdraw(_ game: String) {
    guard let all, isName(game) else { return }
    let published = games.removeValue(forKey: game)
    var (folder, page) = (published?.folder, published?.page)
    if folder == nil, Folder.names(in: path + "/" + game).contains(ControlPage.name) {
      // An earlier daemon may have left a control page, which is updated for its readers. Any other file in its place is just removed.
      folder = try? Folder(game, in: all)
      page = folder.flatMap { ControlPage.adopt(in: $0) }
    }
    guard let folder else { return }
    page?.store(.withdrawn, nil, boot: boot)
    folder.remove(ControlPage.name)
    removeImages(in: folder, but: nil)
    unlinkat(all.descriptor, game, AT_REMOVEDIR)
  }

  /// Removes the images and control pages of all games that are not in the set.
  public func withdrawAll(but remaining: Set<String>) {
    guard (try? open()) != nil else { return }
    for name in Folder.names(in: path) where !remaining.contains(name) && !name.hasPrefix(".") { withdraw(name) }
  }

  /// Marks the images of all games as no longer updated, because the daemon stops. The files stay.
  public func stop() {
    for published in games.values { published.page.store(.stopped, published.image, boot: boot) }
    forgetAll()
  }

  /// The games with a published image, in ascending order.
  public var published: [String] { games.keys.sorted() }

  private func forgetAll() {
    games = [:]
    all = nil
  }

  private func begin(_ game: String) throws(ImageFault) -> PublishedFile {
    guard let all, isName(game) else { throw ImageFault("\(game) cannot be the name of a folder") }
    let folder = try Folder(game, in: all)
    if let page = ControlPage.adopt(in: folder) { return PublishedFile(folder: folder, page: page, image: nil) }
    return PublishedFile(folder: folder, page: try ControlPage.make(in: folder, boot: boot), image: nil)
  }

  private func isName(_ game: String) -> Bool { !game.isEmpty && !game.hasPrefix(".") && !game.utf8.contains(UInt8(ascii: "/")) }

  private func removeStrays(_ published: PublishedFile) { removeImages(in: published.folder, but: published.image?.name) }

  /// Removes all images from a game's folder but the current one, and temporary files that a killed daemon has left.
  private func removeImages(in folder: Folder, but present: String?) {
    for name in Folder.names(in: folder.path) where name != present {
      let isAside = name.hasPrefix(".") && (name.contains(ImageIdentity.suffix) || name.contains(ControlPage.name))
      if name.hasSuffix(ImageIdentity.suffix) || isAside { folder.remove(name) }
    }
  }
}

/// The id that distinguishes one boot of the host from another.
public enum BootID {
  /// Returns the sixteen bytes of the system's boot id.
  /// - Parameter given: The boot id from the service manager, for sandboxes in which /proc has only processes; nil if it passes no id.
  /// - Returns: nil if the system does not provide the id.
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

  /// Parses 32 hexadecimal digits, with or without dashes.
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
