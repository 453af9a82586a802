import Testing
@Test func placeholderDaemonTests() {}
