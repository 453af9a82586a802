// The memory that the C library's heap holds and nobody uses, and giving it back.

internal import CSystemd
internal import Glibc

/// The heap as the system counts it: what was freed stays with the process until it is given back.
public enum HeapMemory {
  /// The number of bytes that the process holds of the host's memory that nobody uses: what is free within the heap and was not given back, and its
  /// stacks; 0 where the system does not say.
  public static var idleBytes: Int {
    let info = mallinfo2()
    return max(0, residentBytes - Int(clamping: info.uordblks) - Int(clamping: info.hblkhd))
  }

  /// The resident bytes of the process alone: `resident` less `shared` of /proc/self/statm.
  private static var residentBytes: Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &text, text.count)
    let pages = text.prefix(max(0, count)).split(separator: UInt8(ascii: " ")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return pages.count >= 3 ? (pages[1] - pages[2]) * Int(getpagesize()) : 0
  }

  /// The bytes that may lie free at the end of each of the heap's arenas, of which every thread may have its own: ``giveBack()`` gives back what lies
  /// free between what is in use, and not that.
  private static let endBytesMax: Int32 = 512 << 10
  /// The size from which an allocation has pages of its own, which go with it.
  private static let ownPagesBytesMin: Int32 = 1 << 20

  /// Keeps the ends of the arenas small. By itself the C library lets each grow to twice the largest piece that was ever let go of, up to 64 MiB. To be
  /// called when the program starts.
  public static func limitEnds() {
    mallopt(M_TRIM_THRESHOLD, endBytesMax)
    mallopt(M_MMAP_THRESHOLD, ownPagesBytesMin)
  }

  /// Gives what is free back to the system, on a thread of its own: of a large heap it takes a tenth of a second.
  public static func giveBack() async {
    await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
      let end = Unmanaged.passRetained(End(waiting))
      var thread = pthread_t()
      let made = pthread_create(
        &thread, nil,
        { end in
          malloc_trim(0)
          if let end { Unmanaged<End>.fromOpaque(end).takeRetainedValue().waiting.resume() }
          return nil
        }, end.toOpaque())
      if made == 0 { pthread_detach(thread) } else { end.takeRetainedValue().waiting.resume() }
    }
  }

  private final class End: Sendable {
    let waiting: CheckedContinuation<Void, Never>
    init(_ waiting: CheckedContinuation<Void, Never>) { self.waiting = waiting }
  }
}
