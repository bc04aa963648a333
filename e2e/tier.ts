/** Whether `npm run test:full` runs, which tries every case; `npm test` tries a sample. */
export function isFullTier(): boolean {
  return process.env.BINNACLE_TEST_TIER === 'full'
}
