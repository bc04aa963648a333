import type { InstrumentId } from '#values/ids.ts'
import type { TestStep } from './adapter.ts'

/** What a venue answers to a question that changes nothing. */
export interface ProbeAnswer {
  /** Why the connection was refused, or null. */
  readonly refused: string | null
  readonly isKeyRefused: boolean
  readonly listed: readonly InstrumentId[]
  readonly skewMs: number
  readonly ms: number
}

/** What a test of a simulated connection works on. */
export interface TestedLink {
  probe(): Promise<ProbeAnswer>
  readonly instruments: readonly InstrumentId[]
  /** The age of each last price; null while the venue is not connected. */
  quoteAges(): readonly { readonly id: InstrumentId; readonly ageMs: number | null }[] | null
}

const MAX_SKEW_MS = 500
const MAX_ROUND_TRIP_MS = 1_000
const MAX_QUOTE_AGE_MS = 10_000
const NOT_RUN = 'Not run: there is no connection.'

/** Runs the steps of a test in their order. What a simulated venue has no equivalent for is not applicable. */
export async function runLinkTest(link: TestedLink): Promise<readonly TestStep[]> {
  const hello = await link.probe()
  const connection = step('Connection', hello.ms, hello.refused === null, {
    passed: 'The simulated venue answered.',
    failed: `${sentence(hello.refused ?? '')} Check whether the fault 'Dropped connection' is set.`,
  })
  const tls = notApplicable('TLS', 'A simulated venue is reached without a network.')
  const permissions = notApplicable('Account permissions', 'A simulated venue has no accounts.')
  if (hello.refused !== null) {
    const notRun = (name: string): TestStep => ({ name, result: 'not-run', detail: NOT_RUN, ms: null })
    return [
      connection,
      tls,
      notRun('Clock'),
      notRun('Key'),
      notRun('Symbols'),
      permissions,
      notRun('Prices'),
      notRun('Round trip'),
    ]
  }
  const clock = await link.probe()
  const key = await link.probe()
  const symbols = await link.probe()
  return [
    connection,
    tls,
    step('Clock', clock.ms, Math.abs(clock.skewMs) <= MAX_SKEW_MS, {
      passed: `Skew ${signed(clock.skewMs)} ms, at most ${MAX_SKEW_MS}.`,
      failed: `Skew ${signed(clock.skewMs)} ms, more than ${MAX_SKEW_MS}: signed requests would be refused.`,
    }),
    step('Key', key.ms, !key.isKeyRefused, {
      passed: 'Accepted; a simulated venue accepts any key.',
      failed: 'The venue refused the key. Enter it again under Config.',
    }),
    testSymbols(link, symbols),
    permissions,
    testPrices(link),
    testRoundTrip([hello.ms, clock.ms, key.ms, symbols.ms]),
  ]
}

function testSymbols({ instruments }: TestedLink, { listed, ms }: ProbeAnswer): TestStep {
  const missing = instruments.filter((id) => !listed.includes(id))
  return step('Symbols', ms, missing.length === 0, {
    passed: `${listed.length} of ${instruments.length} instruments listed.`,
    failed: `${listed.length} of ${instruments.length} instruments listed. Missing: ${missing.join(', ')}.`,
  })
}

function testPrices(link: TestedLink): TestStep {
  const ages = link.quoteAges()
  if (ages === null) return notApplicable('Prices', 'The adapter is not connected, so it receives none.')
  const late = ages.filter(({ ageMs }) => ageMs === null || ageMs > MAX_QUOTE_AGE_MS).map(({ id }) => id)
  return step('Prices', null, late.length === 0, {
    passed: `Received for all ${ages.length} instruments within ${MAX_QUOTE_AGE_MS / 1_000} s.`,
    failed: `None within ${MAX_QUOTE_AGE_MS / 1_000} s for ${late.join(', ')}.`,
  })
}

function testRoundTrip(durations: readonly number[]): TestStep {
  const longest = Math.max(...durations)
  return step('Round trip', longest, longest <= MAX_ROUND_TRIP_MS, {
    passed: `The longest of ${durations.length} took ${longest} ms, at most ${MAX_ROUND_TRIP_MS}.`,
    failed: `The longest of ${durations.length} took ${longest} ms, more than ${MAX_ROUND_TRIP_MS}.`,
  })
}

function step(
  name: string,
  ms: number | null,
  isPassed: boolean,
  details: { readonly passed: string; readonly failed: string },
): TestStep {
  const result = isPassed ? 'passed' : 'failed'
  return { name, result, detail: details[result], ms }
}

function notApplicable(name: string, detail: string): TestStep {
  return { name, result: 'not-applicable', detail, ms: null }
}

function signed(ms: number): string {
  return ms > 0 ? `+${ms}` : String(ms)
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
