// Which mappings the daemon lets go of once it serves.

import Testing

@testable import gameconfd

@Suite("Memory after the start")
struct StartMemoryTests {
  @Test("only files mapped as code are let go of, never what relocation, data or the kernel has put there")
  func ranges() {
    let maps = """
      55cd47d8f000-55cd4a0ff000 r-xp 00000000 fe:00 1835092                    /usr/bin/game conf d
      55cd4a0ff000-55cd4a1e6000 r--p 0236f000 fe:00 1835092                    /usr/bin/game conf d
      55cd4a1e6000-55cd4c667000 rw-p 02456000 fe:00 1835092                    /usr/bin/game conf d
      55cd4c667000-55cd4c772000 rw-p 00000000 00:00 0                          [heap]
      7fb433000000-7fb433001000 r-xp 00000000 00:00 0
      7fb433e44000-7fb433f9a000 r-xp 00028000 fe:00 789                        /usr/lib/x86_64-linux-gnu/libc.so.6
      7ffd0a5f0000-7ffd0a5f2000 r-xp 00000000 00:00 0                          [vdso]
      ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
      nonsense
      """
    #expect(StartMemory.codeRanges(maps: maps) == [0x55cd_47d8_f000..<0x55cd_4a0f_f000, 0x7fb4_33e4_4000..<0x7fb4_33f9_a000])
  }

  @Test("the program goes on after its code was let go of")
  func release() {
    StartMemory.release()
    #expect(StartMemory.codeRanges(maps: "").isEmpty)
  }
}
