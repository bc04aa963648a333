import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standardInstruments } from '@binnacle/engine'
import { openAdminServices } from '../packages/server/src/admin/admin-services.ts'
import { Refused } from '../packages/server/src/http/problems.ts'
import { openAdminStore } from '../packages/server/src/storage/admin-store.ts'
import { serverAuditContext } from '../packages/server/src/storage/audit/audit-context.ts'
import { openDataSets } from '../packages/server/src/trading/data-sets/data-sets.ts'
import { conclude } from './figures.ts'

/** The import of a million rows, one in a hundred of them bad: time, memory beside that of a tenth of the rows, and the report. */

const ROWS = 1_000_000
const START = Date.UTC(2023, 0, 1)
const MINUTE = 60_000
const SAMPLE_MS = 50
const MIB = 1024 * 1024

const folder = await mkdtemp(join(tmpdir(), 'binnacle-import-'))
const store = await openAdminStore(':memory:')
const { jobs } = openAdminServices({ store, urlOf: () => 'http://localhost' })
const sets = await openDataSets({
  folder: join(folder, 'sets'),
  instruments: standardInstruments(),
  jobs,
  uploadLimitBytes: 1024 * MIB,
})
const small = await measure('small', ROWS / 10)
const large = await measure('large', ROWS)
console.table({ small, large })
conclude([
  { what: 'rows per second', figure: large.rowsPerSecond, limit: 10_000, must: 'reach' },
  { what: 'memory taken, MiB', figure: large.memoryMib, limit: 400, must: 'not exceed' },
  { what: 'bad rows reported', figure: large.badRows, limit: ROWS / 100, must: 'reach' },
])
await jobs.close(1_000)
sets.close()
await store.close()
await rm(folder, { recursive: true })

async function measure(name: string, rows: number) {
  const file = join(folder, `${name}.csv`)
  await writeFile(file, linesOf(rows))
  const before = process.memoryUsage.rss()
  let peak = before
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, SAMPLE_MS)
  const startMs = performance.now()
  const uploaded = await sets.upload(Object.assign(createReadStream(file), { headers: {} }), `${name}.csv`)
  if (uploaded instanceof Refused) throw new Error(uploaded.detail)
  const mapping = {
    kind: 'bars',
    has_header: false,
    time: 'column0',
    time_unit: 'auto',
    open: 'column1',
    high: 'column2',
    low: 'column3',
    close: 'column4',
    volume: 'column5',
  } as const
  const uploadMs = performance.now() - startMs
  const started = await sets.startImport(serverAuditContext('bench'), {
    upload_id: uploaded.upload_id,
    name,
    instrument: 'BTCUSDT',
    mapping,
    dry_run: false,
    mode: 'create',
  })
  if (started instanceof Refused) throw new Error(started.detail)
  const ending = await started.ended
  clearInterval(sampling)
  if (ending.state !== 'done') throw new Error(ending.error)
  const seconds = (performance.now() - startMs) / 1_000
  return {
    rows,
    uploadMs: Math.round(uploadMs),
    seconds: Number(seconds.toFixed(1)),
    rowsPerSecond: Math.round(rows / seconds),
    memoryMib: Math.round((peak - before) / MIB),
    bars: ending.result.bars,
    badRows: ending.result.bad_rows,
  }
}

function* linesOf(rows: number): Generator<string> {
  for (let row = 0; row < rows; row++) {
    const open = 40_000 + (row % 997)
    const high = row % 100 === 50 ? 'bad' : open + 3
    yield `${START + row * MINUTE},${open},${high},${open - 2},${open + 1},${(row % 89) / 8},0,0,0,0,0,0\n`
  }
}
