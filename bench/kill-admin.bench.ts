import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killLoop } from '../packages/server/src/testkit/kill-loop.ts'

/** Whether what the admin API said it had saved outlives kill -9: `node bench/kill-admin.bench.ts 200`. */

const kills = Number(process.argv[2] ?? 20)
const folder = await mkdtemp(join(tmpdir(), 'binnacle-kill-'))
const startMs = performance.now()
const report = await killLoop({ dataFolder: join(folder, 'data'), kills })
await rm(folder, { recursive: true })

console.table({
  kills: report.kills,
  'changes saved': report.saved,
  'lines in the audit log': report.lines,
  seconds: Math.round((performance.now() - startMs) / 1000),
  'lost or wrong': report.wrong.length,
})
for (const sentence of report.wrong) console.log(sentence)
process.exitCode = report.wrong.length === 0 ? 0 : 1
