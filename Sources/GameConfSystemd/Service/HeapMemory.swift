// Free memory in the C library's heap, and its return to the system.

internal import CSystemd
internal import Glibc

/// Memory of the process's heap. glibc holds freed memory for later allocations until the process returns it with `malloc_trim`.
public enum HeapMemory {
  /// The resident bytes that no allocation uses: free space in the heap, and the threads' stacks. 0 if the system does not report them.
  public static var idleBytes: Int {
    let info = mallinfo2()
    return max(0, residentBytes - Int(clamping: info.uordblks) - Int(clamping: info.hblkhd))
  }

  /// The resident bytes that are not shared: `resident` minus `shared` in /proc/self/statm.
  private static var residentBytes: Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &text, text.count)
    let pages = text.prefix(max(0, count)).split(separator: UInt8(ascii: " ")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return pages.count >= 3 ? (pages[1] - pages[2]) * Int(getpagesize()) : 0
  }

  /// The free bytes that may remain at the top of each arena of the heap; each thread may have its own arena.
  /// ``giveBack()`` returns the free pages between allocations, but not the bytes at the top.
  private static let endBytesMax: Int32 = 512 << 10
  /// The size from which `malloc` maps an allocation separately, so that freeing it returns its pages.
  private static let ownPagesBytesMin: Int32 = 1 << 20

  /// Limits the free space that the C library's heap holds at the top of each arena. Call it at the start of the process.
  ///
  /// By default glibc raises that limit to twice the largest mapped block ever freed, up to 64 MiB.
  public static func limitEnds() {
    mallopt(M_TRIM_THRESHOLD, endBytesMax)
    mallopt(M_MMAP_THRESHOLD, ownPagesBytesMin)
  }

  /// Returns free memory of the heap to the system. It works on a thread of its own, because a large heap takes a tenth of a second.
  public static func giveBack() async {
    await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
      let end = Unmanaged.passRetained(TrimWaiter(waiting))
      var thread = pthread_t()
      let made = pthread_create(
        &thread, nil,
        { end in
          malloc_trim(0)
          if let end { Unmanaged<TrimWaiter>.fromOpaque(end).takeRetainedValue().waiting.resume() }
          return nil
        }, end.toOpaque())
      if made == 0 { pthread_detach(thread) } else { end.takeRetainedValue().waiting.resume() }
    }
  }

  private final class TrimWaiter: Sendable {
    let waiting: CheckedContinuation<Void, Never>
    init(_ waiting: CheckedContinuation<Void, Never>) { self.waiting = waiting }
  }
}
