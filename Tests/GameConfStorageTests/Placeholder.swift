import Testing
@Test func placeholderGameConfStorageTests() {}
