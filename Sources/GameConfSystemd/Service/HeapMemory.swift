// What the C library's heap holds that nobody uses, and giving it back.

internal import CSystemd
internal import Glibc

/// The heap as the system counts it: what was freed stays with the process until it is given back.
public enum HeapMemory {
  /// How many bytes are free within the heap.
  public static var freeBytes: Int { Int(clamping: mallinfo2().fordblks) }

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
