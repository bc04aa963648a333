import { backtests, sweeps } from '@binnacle/contract'
import { Refused } from '#http/problems.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import type { Sample } from './admin-samples.ts'

const REQUEST = {
  strategy: { type: 'momentum', config: { fast_bars: 10, slow_bars: 20, threshold_bps: 0 } },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-01-07T00:00:00Z',
}

/** Requests over the bars of testkit/backtests.ts, for the calls of backtests that change something. */
export const BACKTEST_SAMPLES: Record<string, (runs: Backtests) => Sample | Promise<Sample>> = {
  'backtests.start': () => ({ body: REQUEST }),
  // There is one thread: the second waits, so it can still be cancelled.
  'backtests.cancel': async (runs) => {
    await aBacktest(runs)
    return { params: { id: await aBacktest(runs) } }
  },
  'sweeps.start': () => ({ body: { base: REQUEST, parameters: { fast_bars: { values: [5, 10] } } } }),
  'sweeps.cancel': async (runs) => {
    const body = sweeps.start.body.parse({
      base: REQUEST,
      parameters: { fast_bars: { from: 1, to: 19, step: 0.5 }, threshold_bps: { from: 0, to: 9, step: 1 } },
    })
    const started = await runs.sweeps.start(serverAuditContext('a sample'), body)
    if (started instanceof Refused) throw new Error('A sample could not be made')
    return { params: { id: String(started.id) } }
  },
  'sweeps.lookAhead': async (runs) => ({ params: { id: await aBacktest(runs) } }),
  'strategyModules.get': savedModule,
  'strategyModules.version': async (runs) => {
    const { params } = await savedModule(runs)
    return { params: { ...params, version: '1' } }
  },
  'strategyModules.save': () => ({ params: { name: 'new.ts' }, body: { source: '', base: null } }),
  'strategyModules.check': () => ({ params: { name: 'new.ts' }, body: { source: '' } }),
  'backtests.label': async (runs) => ({
    params: { id: await aBacktest(runs) },
    body: { tags: ['fast'], note: 'A try', archived: false },
  }),
  'backtests.promote': async (runs) => {
    const id = await aBacktest(runs)
    await runs.ended(Number(id))
    return { params: { id }, body: { name: 'Promoted' } }
  },
  'backtests.rerun': async (runs) => ({ params: { id: await aBacktest(runs) } }),
}

async function aBacktest(runs: Backtests): Promise<string> {
  const started = await runs.start(serverAuditContext('a sample'), backtests.start.body.parse(REQUEST))
  if (started instanceof Refused) throw new Error('A sample could not be made')
  return String(started.row.id)
}

async function savedModule(runs: Backtests) {
  const name = 'walk.ts'
  const known = await runs.modules.find(name)
  const base = known instanceof Refused ? null : known.hash
  await runs.modules.save(serverAuditContext('a sample'), name, { source: 'export {}', base })
  return { params: { name } }
}
