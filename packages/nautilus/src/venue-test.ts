import type { TestStep } from '@binnacle/engine'
import type { NodeView } from './node-view.ts'
import type { Row } from './protocol.ts'
import { instantOf } from './to-views.ts'

export interface VenueTest {
  readonly venue: string
  readonly view: NodeView
  readonly now: number
  /** How long the node took to answer, and why it did not. */
  readonly node: { readonly ms: number; readonly why: string | null }
}

/** A feed that is alive has a newer quote than this. */
const MAX_QUOTE_AGE_MS = 30_000

/** Says of each part of a connection whether it works. */
export function testVenue({ venue, view, now, node }: VenueTest): readonly TestStep[] {
  const reached = step('Node', node.why === null, 'The node answered.', `${node.why ?? ''}.`, node.ms)
  if (node.why !== null) return [reached, ...NAMES.map((name) => notRun(name))]
  const clients = view.all('components').filter((row) => row.venue === venue)
  return [
    reached,
    testClient('Market data', 'DataClient', clients),
    testClient('Execution', 'ExecClient', clients),
    testInstruments(venue, view),
    testQuotes(venue, view, now),
  ]
}

const NAMES = ['Market data', 'Execution', 'Instruments', 'Quotes'] as const
type Name = (typeof NAMES)[number]

function testClient(
  name: Name,
  type: Row<'components'>['type'],
  clients: readonly Row<'components'>[],
): TestStep {
  const own = clients.filter((row) => row.type === type)
  const [first] = own
  if (first === undefined) {
    return { name, result: 'not-applicable', detail: 'The node has no such client of this venue.', ms: null }
  }
  const lost = own.filter((row) => row.is_connected !== true).map(({ id }) => id)
  return step(name, lost.length === 0, `${first.id} is connected.`, `${lost.join(', ')} is not connected.`)
}

function testInstruments(venue: string, view: NodeView): TestStep {
  const { length } = instrumentsOf(venue, view)
  return step('Instruments', length > 0, `${length} loaded.`, 'The node has loaded none of this venue.')
}

function testQuotes(venue: string, view: NodeView, now: number): TestStep {
  const listed = new Set(instrumentsOf(venue, view))
  const times = (view.metrics?.quotes ?? []).flatMap(({ instrument_id, ts }) =>
    listed.has(instrument_id) ? instantOf(ts) : [],
  )
  if (times.length === 0) return step('Quotes', false, '', 'There is no quote yet.')
  const age = Math.max(0, now - Math.max(...times))
  const detail = `The last quote is ${(age / 1_000).toFixed(1)} s old.`
  return step('Quotes', age <= MAX_QUOTE_AGE_MS, detail, detail)
}

function instrumentsOf(venue: string, view: NodeView): string[] {
  return view.all('instruments').flatMap((row) => (row.venue === venue ? row.id : []))
}

function step(
  name: string,
  isPassed: boolean,
  passed: string,
  failed: string,
  ms: number | null = null,
): TestStep {
  return { name, result: isPassed ? 'passed' : 'failed', detail: isPassed ? passed : failed, ms }
}

function notRun(name: Name): TestStep {
  return { name, result: 'not-run', detail: 'The node did not answer.', ms: null }
}
