import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreStatus } from '@binnacle/contract'
import {
  ANSWER_TIMEOUT_MS,
  filesBelow,
  JobFailure,
  readRedisStats,
  type Source,
  withClient,
} from '@binnacle/stores'
import type { Backups } from '#databases/backups/backups.ts'
import { targetOf } from '#databases/backups/target.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { StoreKind } from '#services/maintenance.ts'
import type { ManagedStore } from './managed-stores.ts'

const LISTED_JOBS = 500

/** Target, size, last backup and last optimisation of a store. */
export async function statusOf(
  kind: StoreKind,
  store: ManagedStore,
  { backups, jobs }: { backups: Pick<Backups, 'list'>; jobs: Pick<Jobs, 'list'> },
): Promise<StoreStatus> {
  const newest = (await backups.list(store.identity)).find(({ status }) => status === 'completed')
  const optimised = (await jobs.list(LISTED_JOBS, 'done')).find(
    (job) => job.kind === `maintenance.optimize.${kind}` || job.kind === 'maintenance.optimize.all',
  )
  return {
    kind,
    connection_id: store.id,
    name: store.name,
    target: targetOf(store.source),
    ...(await sizeOf(store.source)),
    last_backup: newest?.created_at ?? null,
    last_optimized: optimised?.ended_at ?? null,
  }
}

async function sizeOf(source: Source): Promise<Pick<StoreStatus, 'size' | 'error'>> {
  try {
    return { size: await bytesOf(source) }
  } catch (fault) {
    if (!(fault instanceof JobFailure)) throw fault
    return { size: null, error: fault.message }
  }
}

async function bytesOf(source: Source): Promise<number | null> {
  if (source.type === 'postgresql') {
    return withClient(
      source.url,
      async (client) => {
        const { rows } = await client.query('SELECT pg_catalog.pg_database_size(current_database()) AS bytes')
        return Number(Object(rows[0]).bytes)
      },
      { answerMs: ANSWER_TIMEOUT_MS },
    )
  }
  if (source.type === 'redis') return Number((await readRedisStats(source.url)).used_memory)
  return source.type === 'parquet' ? bytesBelow(source.folder) : null
}

/** Files may come and go meanwhile. */
async function bytesBelow(folder: string): Promise<number> {
  const paths = await filesBelow(folder).catch(() => [])
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(join(folder, path)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
