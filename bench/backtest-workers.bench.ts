import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'
import { startBenchRedis } from './stores.ts'
import { DAYS, hashOf, recordBars, SETS, startSweep, watchSweep } from './sweeps.ts'

/**
 * The sweep of `backtest-sweep.bench.ts` embedded, and on 1, 2 and 4 worker processes over Redis, each time with two
 * workers killed in the middle. Every set has one result, that of the embedded run.
 * `BINNACLE_BENCH_SETS=60` takes about two minutes.
 */

const COUNTS = [1, 2, 4]
const COMMAND = join(import.meta.dirname, '../packages/server/src/trading/backtests/remote/worker-command.ts')

const redis = await startBenchRedis()
if (redis !== undefined) await measure(redis.url)
await redis?.end()

async function measure(url: string): Promise<void> {
  const folder = await temporaryFolder()
  const dataFolder = join(folder, 'data')
  await recordBars(dataFolder)
  const embedded = await startServerProcess(dataFolder)
  const own = await timeSweep(embedded.url)
  await embedded.end('SIGTERM')

  const server = await startServerProcess(dataFolder, { BINNACLE_WORK_QUEUE: url })
  const runs = []
  for (const count of COUNTS)
    runs.push({ count, ...(await sweepOnWorkers(server.url, count, () => startWorker(url, dataFolder))) })
  await server.end('SIGTERM')
  await removeFolder(folder)

  const row = (seconds: number) => ({ seconds: rounded(seconds), 'sets/s': rounded(SETS / seconds) })
  console.log(`${SETS} sets over ${DAYS} days of 1-minute bars; hash of all reports ${own.hash}`)
  console.table({
    embedded: row(own.seconds),
    ...Object.fromEntries(
      runs.map(({ count, seconds, killed }) => [
        `${count} worker processes, ${killed} killed on the way`,
        row(seconds),
      ]),
    ),
  })
  conclude([
    {
      what: 'sweeps on workers with the hash of the embedded one, as a share',
      figure: runs.filter(({ hash }) => hash === own.hash).length / runs.length,
      limit: 1,
      must: 'reach',
    },
    {
      what: 'workers killed in the middle of each sweep',
      figure: Math.min(...runs.map(({ killed }) => killed)),
      limit: 2,
      must: 'reach',
    },
  ])
}

async function timeSweep(url: string): Promise<{ seconds: number; hash: string }> {
  const startMs = performance.now()
  return finish(url, await startSweep(url), startMs)
}

async function finish(url: string, id: number, startMs: number): Promise<{ seconds: number; hash: string }> {
  const last = (await watchSweep(url, id)).at(-1)
  if (last === undefined) throw new Error('a sweep was not seen')
  return { seconds: (performance.now() - startMs) / 1000, hash: hashOf(last) }
}

type Worker = Awaited<ReturnType<typeof startWorker>>

/** One is killed after a third of the sets and one after two; when none is left, another one is started. */
async function sweepOnWorkers(
  url: string,
  count: number,
  start: () => Promise<Worker>,
): Promise<{ seconds: number; hash: string; killed: number }> {
  const workers = await Promise.all(Array.from({ length: count }, start))
  const startMs = performance.now()
  const id = await startSweep(url)
  let killed = 0
  for (const part of [1 / 3, 2 / 3]) {
    const seen = await watchSweep(url, id, ({ done }) => done >= part * SETS)
    if (seen.at(-1)?.status !== 'running') break
    await workers.shift()?.end('SIGKILL')
    killed += 1
    if (workers.length === 0) workers.push(await start())
  }
  const result = await finish(url, id, startMs)
  for (const worker of workers) await worker.end('SIGTERM')
  return { ...result, killed }
}

async function startWorker(url: string, dataFolder: string) {
  const child = spawn(process.execPath, [COMMAND], {
    env: {
      BINNACLE_WORK_QUEUE: url,
      BINNACLE_WORK_KEY: join(dataFolder, 'work-key.pub'),
      BINNACLE_WORKER_NAME: 'bench',
      BINNACLE_WORKER_THREADS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // Its first line says that it waits for runs.
  await once(createInterface({ input: child.stdout }), 'line')
  return {
    async end(signal: 'SIGTERM' | 'SIGKILL') {
      child.kill(signal)
      await ended
    },
  }
}
