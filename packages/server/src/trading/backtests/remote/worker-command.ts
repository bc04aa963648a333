import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import * as z from 'zod'
import { endWithSentence, StartRefusal } from '#config/start-refusal.ts'
import { startQueueWorker } from './queue-worker.ts'
import { readPublicKey } from './work-key.ts'

/** Runs backtests for a server on another machine: `npm run worker`. */

const PATH = 'an absolute path'

const Environment = z.object({
  BINNACLE_WORK_QUEUE: z
    .string('the address of the Redis of the server, such as redis://queue.example:6379')
    .refine(isRedisAddress, 'an address such as redis://queue.example:6379'),
  BINNACLE_WORK_KEY: z
    .string('the path of work-key.pub, copied from the data folder of the server')
    .refine((file) => isAbsolute(file), PATH),
  BINNACLE_WORK_CATALOG: z
    .string()
    .refine((folder) => isAbsolute(folder), PATH)
    .optional(),
  BINNACLE_WORKER_NAME: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'up to 60 letters, digits, dots, dashes and underscores')
    .default(hostname()),
  BINNACLE_WORKER_THREADS: z.coerce.number().int().min(1).max(256).default(availableParallelism()),
  BINNACLE_WORKER_LOCK_MS: z.coerce.number().int().min(500).max(600_000).optional(),
})

async function runFromEnvironment(): Promise<void> {
  process.umask(0o077)
  const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) throw refusalOf(parsed.error)
  const settings = parsed.data
  const worker = await startQueueWorker({
    url: settings.BINNACLE_WORK_QUEUE,
    publicKey: readPublicKey(settings.BINNACLE_WORK_KEY),
    catalogFolder: settings.BINNACLE_WORK_CATALOG,
    // Two workers of one machine must differ.
    name: `${settings.BINNACLE_WORKER_NAME}-${randomBytes(3).toString('hex')}`,
    threads: settings.BINNACLE_WORKER_THREADS,
    lockMs: settings.BINNACLE_WORKER_LOCK_MS,
    onWarning: (text) => process.stderr.write(`${text}\n`),
  })
  process.stdout.write(
    `Worker ${worker.name} waits for runs; threads: ${settings.BINNACLE_WORKER_THREADS}.\n`,
  )
  let isClosing = false
  const close = async () => {
    if (isClosing) process.exit(1)
    isClosing = true
    await worker.close()
    process.exit(0)
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
}

/** An address may contain a password, so values are not repeated. */
function refusalOf(error: z.ZodError): StartRefusal {
  const [issue] = error.issues
  return new StartRefusal(`${String(issue?.path[0])} must be ${issue?.message}.`)
}

function isRedisAddress(text: string): boolean {
  return URL.canParse(text) && ['redis:', 'rediss:'].includes(new URL(text).protocol)
}

if (import.meta.main) await runFromEnvironment().catch(endWithSentence)
