/** The part of vitest's `expect(…)` that the suites need; other runners have it too. */
export interface Expectation {
  toBe(value: unknown): void;
  toEqual(value: unknown): void;
  toMatchObject(value: object): void;
  toContain(value: unknown): void;
  toMatch(pattern: RegExp): void;
}

/** A test runner's functions, handed to the suites so that the kit depends on none. */
export interface TestFunctions {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
  expect(value: unknown): Expectation;
}
