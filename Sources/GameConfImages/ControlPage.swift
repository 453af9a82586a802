// The control page of a game: a small mapped file that names the game's current image and shows that the daemon is alive.

internal import CFutex
internal import Glibc

/// A control page that is mapped for writing, for use by one thread. The guide `ImageFormat` documents its layout.
final class ControlPage {
  /// The name of the control page's file, which ends with the major version of the page's layout.
  static let name = "control.1"
  static let bytes = 4096
  private static let magic: [UInt8] = [0x89, 0x47, 0x43, 0x43, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let major: UInt16 = 1

  /// The state of the game's image, which readers find in the control page.
  enum State: UInt32 {
    case live = 1
    case stopped, withdrawn
  }

  private enum FieldOffset {
    static let length = 12, boot = 16, generation = 32, state = 36, heartbeat = 40, image = 48, bytes = 56, epoch = 64, revision = 72
  }

  private let base: UnsafeMutableRawPointer
  /// The device and inode of the control page's file.
  let identity: FileIdentity

  private init(_ base: UnsafeMutableRawPointer, _ identity: FileIdentity) {
    self.base = base
    self.identity = identity
  }

  deinit { munmap(base, Self.bytes) }

  /// Maps an existing control page, so that processes that have mapped it continue to receive updates.
  /// - Returns: nil if no page is safe to write to, because it is not a regular file of a trusted user, or has another length
  ///   or major version.
  static func adopt(in folder: Folder) -> ControlPage? {
    let descriptor = openat(folder.descriptor, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let file = FileIdentity.Status(descriptor), file.isRegular, file.bytes == Int64(bytes), file.links == 1,
      folder.trusts(file), posix_fallocate(descriptor, 0, off_t(bytes)) == 0, let page = map(descriptor, file.identity)
    else { return nil }
    let isOurs = magic.enumerated().allSatisfy { page.base.load(fromByteOffset: $0, as: UInt8.self) == $1 }
    guard isOurs, page.base.load(fromByteOffset: 8, as: UInt16.self) == major,
      page.base.load(fromByteOffset: FieldOffset.length, as: UInt32.self) == UInt32(bytes)
    else { return nil }
    return page
  }

  /// Creates a control page and replaces whatever file has its name.
  static func make(in folder: Folder, boot: [UInt8]) throws(ImageFault) -> ControlPage {
    let aside = ".\(name).\(getpid())"
    let descriptor = try folder.create(aside, mode: 0o664)
    defer { close(descriptor) }
    // Disk blocks are allocated now, so that a full disk is an error here and not a SIGBUS when the page is written.
    let code = posix_fallocate(descriptor, 0, off_t(bytes))
    guard code == 0, let file = FileIdentity.Status(descriptor), let page = map(descriptor, file.identity) else {
      unlinkat(folder.descriptor, aside, 0)
      throw ImageFault(code: code == 0 ? errno : code, place: folder.path + "/" + name)
    }
    for (at, byte) in magic.enumerated() { page.base.storeBytes(of: byte, toByteOffset: at, as: UInt8.self) }
    page.base.storeBytes(of: major, toByteOffset: 8, as: UInt16.self)
    page.base.storeBytes(of: UInt32(bytes), toByteOffset: FieldOffset.length, as: UInt32.self)
    page.store(.stopped, nil, boot: boot)
    try folder.rename(aside, to: name)
    return page
  }

  private static func map(_ descriptor: Int32, _ identity: FileIdentity) -> ControlPage? {
    let base = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let base, base != MAP_FAILED else { return nil }
    return ControlPage(base, identity)
  }

  /// Writes the identity of the current image into the page and wakes waiting processes. The generation is odd during the update, as in a
  /// seqlock, so that readers notice an inconsistent page.
  func store(_ state: State, _ image: ImageIdentity?, boot: [UInt8]) {
    let generation = cfutex_load32(base + FieldOffset.generation) | 1
    cfutex_store32(base + FieldOffset.generation, generation)
    for (at, byte) in boot.prefix(16).enumerated() { base.storeBytes(of: byte, toByteOffset: FieldOffset.boot + at, as: UInt8.self) }
    cfutex_store32(base + FieldOffset.state, state.rawValue)
    cfutex_store64(base + FieldOffset.heartbeat, UInt64(bitPattern: BootTime.milliseconds))
    cfutex_store64(base + FieldOffset.image, image?.id ?? 0)
    cfutex_store64(base + FieldOffset.bytes, UInt64(image?.bytes ?? 0))
    cfutex_store64(base + FieldOffset.epoch, image?.epoch ?? 0)
    cfutex_store64(base + FieldOffset.revision, UInt64(bitPattern: image?.revision ?? 0))
    cfutex_store32(base + FieldOffset.generation, generation &+ 1)
    cfutex_wake(base + FieldOffset.generation)
  }

  /// Updates the heartbeat, which shows readers that the daemon is alive.
  func beat() { cfutex_store64(base + FieldOffset.heartbeat, UInt64(bitPattern: BootTime.milliseconds)) }
}

/// The clock that counts from boot, including the time during which the host sleeps.
enum BootTime {
  static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
