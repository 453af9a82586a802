// A secret of this machine and this program, so that what the log says of a player cannot be compared across machines.

import CSystemd

/// The identity of this machine, for this program only.
public enum MachineIdentity {
  /// Sixteen bytes derived from the machine's id and this program's own; nil where the machine has no id yet.
  ///
  /// Stable until the machine is installed anew; the machine's id cannot be computed back from it.
  public static func applicationSpecific() -> [UInt8]? {
    var identity = sd_id128_t()
    guard sd_id128_get_machine_app_specific(program, &identity) == 0 else { return nil }
    return withUnsafeBytes(of: &identity) { Array($0) }
  }

  /// Chosen once at random for this purpose.
  private static let program: sd_id128_t = {
    var identity = sd_id128_t()
    sd_id128_from_string("ede847cc1e04412aae8fd5f77c8f0c5a", &identity)
    return identity
  }()
}
