/** A journey whose every rule another test of `npm test` shows as well (tools/check-rules.ts): only the full tier plays it. */
export const EDGE = { tag: '@edge' }

/** A journey of several minutes over real nodes, which only the full tier has time for. */
export const LONG = { tag: '@long' }

/** Whether `npm run test:full` runs, which tries every case; `npm test` tries a sample. */
export function isFullTier(): boolean {
  return process.env.BINNACLE_TEST_TIER === 'full'
}
