/** A case at the edge whose every rule a unit test shows as well: only the full tier plays it in the browser. */
export const EDGE = { tag: '@edge' }

/** Whether `npm run test:full` runs, which tries every case; `npm test` tries a sample. */
export function isFullTier(): boolean {
  return process.env.BINNACLE_TEST_TIER === 'full'
}
