/** Passed in, so that tests do not wait for real. */
export type Wait = (ms: number) => Promise<void>

/** Specification, section 9. */
export const SIMULATED_MS = 1000
export const SIMULATED_TEST_MS = 1500

export const waitByTimer: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
