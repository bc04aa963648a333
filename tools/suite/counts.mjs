/** @typedef {'sample' | 'full'} Tier */

/**
 * How many cases a generated test draws and how often a fault test strikes. `npm test` takes the sample;
 * `npm run test:full` takes the counts that issues name.
 */
export const COUNTS = {
  /** Properties without a count of their own. */
  cases: { sample: 100, full: 1_000 },
  accountHistories: { sample: 500, full: 10_000 },
  engineHistories: { sample: 60, full: 500 },
  moneyCases: { sample: 1_000, full: 10_000 },
  pnlCases: { sample: 500, full: 1_000 },
  riskHistories: { sample: 200, full: 400 },
  quietStretches: { sample: 150, full: 300 },
  /** Orders that are previewed and then placed. */
  orderPreviews: { sample: 100, full: 1_000 },
  venueHistories: { sample: 250, full: 500 },
  /** Streams whose connection is cut at random. */
  streamHistories: { sample: 8, full: 1_000 },
  /** How long clients of one server are cut again and again. */
  cutStreamSeconds: { sample: 1, full: 600 },
  /** Histories of recorded samples with gaps, restarts and clocks that step back. */
  sampleHistories: { sample: 4, full: 1_000 },
  /** Markets with restarts whose bars are compared with those of their trades. */
  marketHistories: { sample: 4, full: 500 },
  /** Price paths that alert rules are evaluated on. */
  alertPaths: { sample: 200, full: 10_000 },
  backtestRuns: { sample: 400, full: 1_500 },
  marketMakingRuns: { sample: 80, full: 1_500 },
  arbitrageRuns: { sample: 100, full: 1_500 },
  /** Generated custom strategies, run inside their process and in lock-step. */
  hostedBacktests: { sample: 20, full: 500 },
  /** Sets of a sweep on workers, and pairs of them of which one is killed. */
  remoteSets: { sample: 8, full: 500 },
  remotePairs: { sample: 1, full: 2 },
  /** Strategies with and without a look at later bars. */
  lookAheadCases: { sample: 10, full: 100 },
  /** Kills of the server while clients trade; every tenth stop is a proper one. */
  deskKills: { sample: 2, full: 300 },
  /** Kills of a NautilusTrader node and of its console while commands are on their way. */
  nodeKills: { sample: 2, full: 200 },
  consoleKills: { sample: 3, full: 100 },
  /** Types of strategies that are backtested over a NautilusTrader node. */
  nodeBacktests: { sample: 1, full: 4 },
  /** Runs over a node whose process is killed once, and twice. */
  backtestKills: { sample: 1, full: 2 },
  /** NautilusTrader nodes beside an embedded engine in one console. */
  nodesBesideEngine: { sample: 1, full: 2 },
  /** Kills of the server right after an admin change is saved. */
  adminKills: { sample: 1, full: 200 },
  /** Long operations in whose middle the server is killed. */
  interruptedWork: { sample: 1, full: 20 },
  /** Halts while orders arrive. */
  haltRaces: { sample: 4, full: 500 },
  /** Backups taken under transfers. */
  bankBackups: { sample: 2, full: 100 },
  /** Kinds of stores whose backups and restores are killed at every step. */
  killedStores: { sample: 1, full: 4 },
  /** Of two steps before which a kill finds the same files. */
  killsPerState: { sample: 1, full: 2 },
  /** Size and number of the cells that one statement returns. */
  exhaustingCellMib: { sample: 20, full: 190 },
  exhaustingRows: { sample: 8, full: 100 },
  /** Of three hostile requests to a call. */
  hostileRequestsInThree: { sample: 1, full: 3 },
  /** Of five odd requests to a call that starts processes. */
  oddRequestsInFive: { sample: 1, full: 5 },
  /** Hostile statements per store and role. */
  hostileTexts: { sample: 50, full: 10_000 },
}

/** The sample repeats the same cases in each run, so that a change alone can turn it red. */
const SAMPLE_SEED = 1
const SEEDS = 2 ** 31

/**
 * The one place that reads the tier and the seed: BINNACLE_TEST_TIER is `full` or absent, BINNACLE_TEST_SEED repeats
 * the cases of an earlier run.
 * @param {NodeJS.ProcessEnv} env
 */
export function chooseCounts(env) {
  const tier = tierOf(env.BINNACLE_TEST_TIER)
  const seed = seedOf(env.BINNACLE_TEST_SEED) ?? (tier === 'full' ? Date.now() % SEEDS : SAMPLE_SEED)
  const counts = Object.fromEntries(Object.entries(COUNTS).map(([name, count]) => [name, count[tier]]))
  return { tier, seed, counts }
}

/**
 * @param {string | undefined} value
 * @returns {Tier}
 */
function tierOf(value) {
  if (value === undefined || value === '' || value === 'sample') return 'sample'
  if (value === 'full') return 'full'
  throw new Error(`BINNACLE_TEST_TIER is sample or full, not ${value}`)
}

/** @param {string | undefined} value */
function seedOf(value) {
  if (value === undefined || value === '') return undefined
  const seed = Number(value)
  if (Number.isInteger(seed) && seed >= 0 && seed < SEEDS) return seed
  throw new Error(`BINNACLE_TEST_SEED is a whole number below ${SEEDS}, not ${value}`)
}
