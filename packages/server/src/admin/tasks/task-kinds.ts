import type { TaskKind } from '@binnacle/contract'
import { MS_PER_DAY } from '@binnacle/engine'
import { type JobControl, JobFailure } from '@binnacle/stores'
import type { AuditAnchor } from '#services/audit/audit-anchor.ts'
import type { BatchReport, StoreBackups } from '#services/maintenance.ts'
import type { ServiceProbes } from '#services/outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { nameOfStore, type OwnStoreCheck } from '#storage/own-store-check.ts'

/** The outcome of a run, for the history. */
export interface TaskResult {
  message: string
  result: unknown
}

export type TaskKinds = Record<TaskKind, (control: JobControl) => Promise<TaskResult>>

interface TaskKindOptions {
  store: Pick<AdminStore, 'audit' | 'jobs' | 'taskRuns'>
  probes: ServiceProbes
  now: () => Date
  storeBackups?: StoreBackups | undefined
  checkOwnStores?: (() => Promise<OwnStoreCheck[]>) | undefined
  anchor?: AuditAnchor | undefined
}

/** Retention of ended jobs and runs. */
const KEEP_DAYS = 90

export function createTaskKinds(options: TaskKindOptions): TaskKinds {
  const { store, probes, now, storeBackups, checkOwnStores, anchor } = options
  return {
    async 'audit.verify'({ progress }) {
      progress(0, 'Reading the audit log.')
      const { head, fault } = await store.audit.verify()
      if (fault !== undefined) throw new JobFailure(`The audit log failed verification. ${fault.detail}`)
      const compared = await anchor?.compare()
      if (compared?.fault !== undefined)
        throw new JobFailure(`The audit log differs from its anchors. ${compared.fault.detail}`)
      const lines = head?.seq ?? 0
      return { message: `The audit log is intact: ${lines} records verified.`, result: { lines } }
    },

    async 'stores.check'({ progress }) {
      if (checkOwnStores === undefined) throw new JobFailure('This server has no stores of its own to check.')
      progress(0, 'Reading the admin store, the journal and the order history.')
      const checks = await checkOwnStores()
      const { head, fault } = await store.audit.verify()
      const faults = checks.flatMap((check) => check.fault ?? [])
      if (fault !== undefined) faults.push(`The audit log failed verification. ${fault.detail}`)
      if (faults.length > 0) throw new JobFailure(faults.join(' '))
      const stores = checks.map(nameOfStore)
      return {
        message: `${stores.join(', ')} and the audit log (${head?.seq ?? 0} records) are intact.`,
        result: { stores, records: head?.seq ?? 0 },
      }
    },

    async 'history.clean'({ progress, signal }) {
      const before = new Date(now().getTime() - KEEP_DAYS * MS_PER_DAY).toISOString()
      const audit = serverAuditContext('history.clean')
      const jobs = await store.jobs.clean(audit, before)
      progress(0.5, 'Old jobs deleted.')
      signal.throwIfAborted()
      const runs = await store.taskRuns.clean(audit, before)
      const message = `${jobs} jobs and ${runs} task runs older than ${KEEP_DAYS} days deleted.`
      return { message, result: { jobs, runs, before } }
    },

    async 'health.report'({ log }) {
      const probed = await probes.probeAll()
      const services = probed.map(({ service, responseTime, error }) => ({
        service: service.name,
        status: error === undefined ? 'healthy' : 'unhealthy',
        response_time: responseTime,
        ...(error !== undefined && { error }),
      }))
      const unhealthy = services.filter(({ error }) => error !== undefined)
      for (const { service, error } of unhealthy) log(`${service}: ${error}`)
      const names = unhealthy.map(({ service }) => service).join(', ')
      const message = `${services.length - unhealthy.length} of ${services.length} services are healthy.`
      return {
        message: unhealthy.length === 0 ? message : `${message} Unhealthy: ${names}.`,
        result: { services },
      }
    },

    async 'audit.anchor'() {
      if (anchor === undefined) throw new JobFailure(NO_ANCHOR)
      const { seq, hash, at, key_id } = await anchor.write()
      return {
        message: `Record ${seq} is anchored in ${anchor.place}.`,
        result: { seq, hash, at, key_id },
      }
    },

    async 'backup.make'(control) {
      if (storeBackups === undefined) throw new JobFailure(NO_BACKUPS)
      return resultOf(await storeBackups.backUpAll(control), 'stores are backed up')
    },

    async 'backup.drill'(control) {
      if (storeBackups === undefined) throw new JobFailure(NO_BACKUPS)
      return resultOf(await storeBackups.drillAll(control), 'newest backups restore')
    },
  }
}

const NO_ANCHOR = 'Set BINNACLE_AUDIT_ANCHOR and BINNACLE_AUDIT_KEY to anchor the audit log.'
const NO_BACKUPS = 'This server has no backups.'

function resultOf(report: BatchReport, what: string): TaskResult {
  const { done, failed } = report
  const message = `${done.length} of ${done.length + failed.length} ${what}.`
  const failures = failed.map(({ connection, error }) => `${connection}: ${error}`).join(' ')
  if (failed.length > 0) throw new JobFailure(`${message} ${failures}`)
  return { message, result: report }
}
