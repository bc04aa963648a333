/** A journey whose every rule a test of `npm test` outside the browser shows as well: only the full tier plays it. */
export const EDGE = { tag: '@edge' }

/** Whether `npm run test:full` runs, which tries every case; `npm test` tries a sample. */
export function isFullTier(): boolean {
  return process.env.BINNACLE_TEST_TIER === 'full'
}
