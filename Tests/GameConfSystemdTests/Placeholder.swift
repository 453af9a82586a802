import Testing
@Test func placeholderGameConfSystemdTests() {}
