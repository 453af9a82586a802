// A secret of this machine and program. It keys the hashes of players in the log, so that logs of two machines cannot be compared.

import CSystemd

/// The machine's id, hashed for this program (`sd_id128_get_machine_app_specific`).
public enum MachineIdentity {
  /// Returns 16 bytes that are derived from the machine's id and the program's id; nil if the machine has no id yet.
  ///
  /// The result stays the same until the machine is reinstalled. It does not reveal the machine's id.
  public static func applicationSpecific() -> [UInt8]? {
    var identity = sd_id128_t()
    guard sd_id128_get_machine_app_specific(program, &identity) == 0 else { return nil }
    return withUnsafeBytes(of: &identity) { Array($0) }
  }

  /// The program's id: a constant, generated once at random.
  private static let program: sd_id128_t = {
    var identity = sd_id128_t()
    sd_id128_from_string("ede847cc1e04412aae8fd5f77c8f0c5a", &identity)
    return identity
  }()
}
