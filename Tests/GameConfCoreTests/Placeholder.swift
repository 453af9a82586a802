import Testing
@Test func placeholderGameConfCoreTests() {}
