import type { Act } from '#audit/act.ts'
import type { Rounds } from '#backups/rounds.ts'
import { Refused } from '#http/problems.ts'
import { type JobControl, JobFailure, type StartedJob, Unreached } from '#jobs/job.ts'
import type { Jobs } from '#jobs/job-runner.ts'
import { bestOf } from './best-store.ts'
import { readRedisStats } from './redis-upkeep.ts'
import type { KeptStore, KeptStores, StoreKind } from './stores.ts'
import { backUpStores, type CleanOptions, cleanStore, optimiseStore } from './works.ts'

/** Keeping the stores in order, each piece of work a job whose result is the message for the person. */
export interface Maintenance {
  backUp(act: Act, store: Store): Promise<Started>
  optimise(act: Act, store: Store): Promise<Started>
  clean(act: Act, store: Store, options: CleanOptions): Promise<Started>
  redisStats(): Promise<Record<string, unknown> | Refused>
}

export type Store = StoreKind | 'all'
export type Started = StartedJob<{ message: string }> | Refused

export interface MaintenanceNeeds {
  jobs: Jobs
  rounds: Rounds
  stores: KeptStores
}

const NAMES: Record<StoreKind, string> = { postgresql: 'PostgreSQL', parquet: 'Parquet', redis: 'Redis' }

const TO_SET: Record<StoreKind, string> = {
  postgresql: 'Set BINNACLE_POSTGRES_URL, or add an active PostgreSQL connection under Database Management.',
  redis: 'Set BINNACLE_REDIS_URL, or add an active Redis connection under Database Management.',
  parquet: 'The catalog of market data is missing from the data folder.',
}

export function createMaintenance({ jobs, rounds, stores }: MaintenanceNeeds): Maintenance {
  type Work = (store: KeptStore, control: JobControl) => Promise<string>

  async function start(
    act: Act,
    title: string,
    run: (control: JobControl) => Promise<string>,
  ): Promise<Started> {
    return jobs.start(act, {
      kind: 'maintenance',
      title,
      run: async (control) => ({ message: await run(control) }),
    })
  }

  /** The work on the best store of a kind. */
  async function onOne(act: Act, doing: string, kind: StoreKind, work: Work): Promise<Started> {
    const found = await stores.of(kind)
    const [first] = found
    if (first === undefined) return notConfigured(kind)
    const writable = found.filter((store) => store.writable)
    if (writable.length === 0) return onlyRead(first)
    return start(act, `${doing} ${NAMES[kind]}`, async (control) => {
      const store = (await bestOf(writable)) ?? first
      const told = await tell(store, work(store, control))
      refuseFailures([told])
      return told.done ?? ''
    })
  }

  /** The work on every store that there is; what is missing is told with what was done. */
  async function onAll(act: Act, doing: string, work: Work): Promise<Started> {
    const found = await Promise.all(KINDS.map(async (kind) => ({ kind, kept: await stores.of(kind) })))
    return start(act, `${doing} all databases`, async (control) => {
      const told: Told[] = []
      for (const one of found.flatMap(({ kept }) => kept)) {
        told.push(
          one.writable
            ? await tell(one, work(one, control))
            : { done: `${one.name} is read-only and was left` },
        )
      }
      const missing = found.filter(({ kept }) => kept.length === 0)
      told.push(...missing.map(({ kind }) => ({ done: `${NAMES[kind]} is not configured` })))
      refuseFailures(told)
      return sentenceOf(told)
    })
  }

  const onStores = (act: Act, doing: string, store: Store, work: Work) =>
    store === 'all' ? onAll(act, doing, work) : onOne(act, doing, store, work)

  return {
    async backUp(act, store) {
      const found = store === 'all' ? await stores.all() : await stores.of(store)
      if (found.length === 0) return notConfigured(store)
      const title = `Back up ${store === 'all' ? 'all databases' : NAMES[store]}`
      return start(act, title, async (control) => {
        const subjects = store === 'all' ? found : [(await bestOf(found)) ?? []].flat()
        return backUpStores(rounds, act, subjects, control)
      })
    },
    optimise: (act, store) => onStores(act, 'Optimise', store, optimiseStore),
    clean: (act, store, options) =>
      onStores(act, 'Clean', store, (kept, control) => cleanStore(kept, options, control)),
    async redisStats() {
      const kept = await bestOf(await stores.of('redis'))
      if (kept?.source.type !== 'redis') return notConfigured('redis')
      return readRedisStats(kept.source.url).then(undefined, (fault) => {
        if (!(fault instanceof JobFailure)) throw fault
        return new Refused('store.unreachable', fault.message)
      })
    },
  }
}

interface Told {
  done?: string
  failed?: string
  isUnreached?: boolean
}

function sentenceOf(told: readonly Told[]): string {
  return told.map(({ done, failed }) => done ?? failed).join('; ')
}

function refuseFailures(told: readonly Told[]): void {
  const failures = told.filter(({ failed }) => failed !== undefined)
  if (failures.length === 0) return
  throw new (failures.every(({ isUnreached }) => isUnreached === true) ? Unreached : JobFailure)(
    sentenceOf(told),
  )
}

/** One store that fails keeps nobody from the others. */
function tell(store: KeptStore, work: Promise<string>): Promise<Told> {
  return work.then(
    (done) => ({ done }),
    (fault) => {
      const named = naming(store, fault)
      if (!(named instanceof JobFailure)) throw named
      return { failed: named.message, isUnreached: named instanceof Unreached }
    },
  )
}

/** The failure with the name of the store, where there may be several. */
function naming({ name, isConfigured }: KeptStore, fault: unknown): unknown {
  if (isConfigured || !(fault instanceof JobFailure)) return fault
  return new (fault instanceof Unreached ? Unreached : JobFailure)(`${name}: ${fault.message}`)
}

const KINDS: readonly StoreKind[] = ['postgresql', 'parquet', 'redis']

function notConfigured(store: Store): Refused {
  if (store === 'all') return new Refused('store.not-configured', 'There is no store to work on.')
  return new Refused('store.not-configured', `${NAMES[store]} is not configured. ${TO_SET[store]}`)
}

function onlyRead({ name }: KeptStore): Refused {
  return new Refused('store.read-only', `'${name}' is read-only. Make the connection writable for this.`)
}
