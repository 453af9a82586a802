// The number of random cases: half in `make check`, enough to find a regression in `make test`, all in `make test-long`.
import Glibc

/// The number of random cases that a property test runs.
public enum TestLength {
  /// True in `make test-long`, which sets `GAMECONF_LONG`.
  public static let isLong = getenv("GAMECONF_LONG") != nil

  /// Returns the first number, or the second in `make test-long`.
  public static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }

  /// Returns the seeds 1 to the first number, or to the second in `make test-long`.
  public static func seeds(_ short: Int, long: Int) -> ClosedRange<UInt64> { 1...UInt64(count(short, long: long)) }

  /// Returns all seeds, or the first half of them in `make check`, which sets `GAMECONF_QUICK`. For tests that compute for long.
  public static func seeds<Seed: FixedWidthInteger>(of all: ClosedRange<Seed>) -> ClosedRange<Seed> {
    isQuick ? all.lowerBound...(all.lowerBound + (all.upperBound - all.lowerBound) / 2) : all
  }

  private static let isQuick = getenv("GAMECONF_QUICK") != nil
}
