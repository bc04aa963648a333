import { type JobControl, JobFailure, readRedisStats } from '@binnacle/stores'
import type { Backups } from '#databases/backups/backups.ts'
import type { BackupBatches } from '#databases/backups/batch.ts'
import { notFound, Refused } from '#http/problems.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { Maintenance, MaintenanceTarget, StartedMaintenance, StoreKind } from '#services/maintenance.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { DataExports } from './data-exports.ts'
import { backUpStores, cleanStore, optimiseStore } from './maintenance-jobs.ts'
import type { ManagedStore, ManagedStores } from './managed-stores.ts'
import { pickStore } from './pick-store.ts'
import { statusOf } from './store-status.ts'

export interface MaintenanceOptions {
  jobs: Jobs
  batches: BackupBatches
  stores: ManagedStores
  backups: Pick<Backups, 'list'>
  exports: DataExports
}

const NAMES: Record<StoreKind, string> = { postgresql: 'PostgreSQL', parquet: 'Parquet', redis: 'Redis' }

type MaintenanceAct = 'backup' | 'optimize' | 'clean'

const TITLES: Record<MaintenanceAct, string> = { backup: 'Back up', optimize: 'Optimise', clean: 'Clean' }

interface MaintenanceJob<Store extends MaintenanceTarget = MaintenanceTarget> {
  act: MaintenanceAct
  store: Store
  /** Reports what the act would do and changes nothing. */
  isDryRun?: boolean
}

function titleOf({ act, store, isDryRun }: MaintenanceJob): string {
  const name = store === 'all' ? 'all databases' : NAMES[store]
  return isDryRun ? `Preview: ${TITLES[act].toLowerCase()} ${name}` : `${TITLES[act]} ${name}`
}

const HOW_TO_CONFIGURE: Record<StoreKind, string> = {
  postgresql: 'Set BINNACLE_POSTGRES_URL, or add an active PostgreSQL connection under Database Management.',
  redis: 'Set BINNACLE_REDIS_URL, or add an active Redis connection under Database Management.',
  parquet: 'The market data catalog is missing from the data folder.',
}

export function createMaintenance({
  jobs,
  batches,
  stores,
  backups,
  exports,
}: MaintenanceOptions): Maintenance {
  type Work = (store: ManagedStore, control: JobControl) => Promise<string>

  async function start(
    audit: AuditContext,
    { act, store, isDryRun = false }: MaintenanceJob,
    run: (control: JobControl) => Promise<string>,
  ): Promise<StartedMaintenance> {
    return jobs.start(audit, {
      kind: `maintenance.${act}.${store}`,
      title: titleOf({ act, store, isDryRun }),
      isDryRun,
      run: async (control) => ({ message: await run(control) }),
    })
  }

  /** Runs the work on one store of a kind. */
  async function onOne(
    audit: AuditContext,
    job: MaintenanceJob<StoreKind>,
    work: Work,
  ): Promise<StartedMaintenance> {
    const kind = job.store
    const found = await stores.of(kind)
    const [first] = found
    if (first === undefined) return notConfigured(kind)
    const writable = found.filter((store) => store.writable)
    if (writable.length === 0) return readOnlyStore(first)
    return start(audit, job, async (control) => {
      const store = (await pickStore(writable)) ?? first
      const outcome = await outcomeOf(store, () => work(store, control))
      refuseFailures([outcome])
      return outcome.message
    })
  }

  /** Runs the work on every store. Read-only stores and types that are not configured are named in the message. */
  async function onAll(audit: AuditContext, job: MaintenanceJob, work: Work): Promise<StartedMaintenance> {
    const found = await Promise.all(KINDS.map(async (kind) => ({ kind, ofKind: await stores.of(kind) })))
    return start(audit, job, async (control) => {
      const all = found.flatMap(({ ofKind }) => ofKind)
      const outcomes: StoreOutcome[] = []
      for (const store of all.filter(({ writable }) => writable)) {
        outcomes.push(await outcomeOf(store, () => work(store, control)))
      }
      const skipped = all.filter(({ writable }) => !writable).map(({ name }) => name)
      if (skipped.length > 0) outcomes.push({ message: `Skipped (read-only): ${skipped.join(', ')}` })
      const missing = found.filter(({ ofKind }) => ofKind.length === 0).map(({ kind }) => NAMES[kind])
      if (missing.length > 0) outcomes.push({ message: `Not configured: ${missing.join(', ')}` })
      refuseFailures(outcomes)
      return sentenceOf(outcomes)
    })
  }

  const onStores = (audit: AuditContext, { store, ...job }: MaintenanceJob, work: Work) =>
    store === 'all' ? onAll(audit, { ...job, store }, work) : onOne(audit, { ...job, store }, work)

  return {
    async backUp(audit, store) {
      const found = store === 'all' ? await stores.all() : await stores.of(store)
      if (found.length === 0) return notConfigured(store)
      return start(audit, { act: 'backup', store }, async (control) => {
        const subjects = store === 'all' ? found : [(await pickStore(found)) ?? []].flat()
        return backUpStores(batches, audit, subjects, control)
      })
    },
    optimise: (audit, store) => onStores(audit, { act: 'optimize', store }, optimiseStore),
    clean: (audit, store, options) =>
      onStores(audit, { act: 'clean', store, isDryRun: options.dryRun }, (target, control) =>
        cleanStore(target, options, control),
      ),
    async status() {
      const found = await Promise.all(
        KINDS.map(async (kind) => {
          const store = await pickStore(await stores.of(kind))
          return store === undefined ? [] : [await statusOf(kind, store, { backups, jobs })]
        }),
      )
      return found.flat()
    },
    async redisStats() {
      const store = await pickStore(await stores.of('redis'))
      if (store?.source.type !== 'redis') return notConfigured('redis')
      try {
        return await readRedisStats(store.source.url)
      } catch (fault) {
        if (!(fault instanceof JobFailure)) throw fault
        return new Refused('store.unreachable', fault.message)
      }
    },
    exports: async () => ({ stores: await exports.stores(), files: await exports.list() }),
    async exportData(audit, chosen, format) {
      const known = (await exports.stores()).map(({ id }) => id)
      const unknown = chosen.find((id) => !known.includes(id))
      if (unknown !== undefined) {
        return notFound('connection', unknown, { field: 'body.stores', list: 'GET /api/database/exports' })
      }
      return jobs.start(audit, {
        kind: 'maintenance.export.data',
        title: `Export ${chosen.length === 1 ? '1 store' : `${chosen.length} stores`}`,
        run: (control) => exports.write([...new Set(chosen)], format, control),
      })
    },
    exportFile: (name) => exports.open(name),
  }
}

interface StoreOutcome {
  message: string
  failure?: JobFailure
}

function sentenceOf(outcomes: readonly StoreOutcome[]): string {
  const [first = { message: '' }, ...others] = outcomes
  if (others.length === 0) return first.message
  return outcomes.map(({ message }) => message.replace(/\.$/, '')).join('; ')
}

function refuseFailures(outcomes: readonly StoreOutcome[]): void {
  const failures = outcomes.flatMap(({ failure }) => failure ?? [])
  if (failures.length === 0) return
  const isUnreachable = failures.every((failure) => failure.isUnreachable)
  throw new JobFailure(sentenceOf(outcomes), { isUnreachable })
}

/** Keeps the failure of one store as a value, so that the work on the others goes on. */
async function outcomeOf(
  { name, isConfigured }: ManagedStore,
  work: () => Promise<string>,
): Promise<StoreOutcome> {
  try {
    return { message: await work() }
  } catch (fault) {
    if (!(fault instanceof JobFailure)) throw fault
    // The message of a configured store names it already; of connections there may be several.
    return { message: isConfigured ? fault.message : `${name}: ${fault.message}`, failure: fault }
  }
}

const KINDS: readonly StoreKind[] = ['postgresql', 'parquet', 'redis']

function notConfigured(store: MaintenanceTarget): Refused {
  if (store === 'all') return new Refused('store.not-configured', 'No database is configured.')
  return new Refused('store.not-configured', `${NAMES[store]} is not configured. ${HOW_TO_CONFIGURE[store]}`)
}

function readOnlyStore({ name }: ManagedStore): Refused {
  return new Refused('store.read-only', `'${name}' is read-only. Make the connection writable first.`)
}
