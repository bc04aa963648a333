import { backups as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Backups, BackupView } from '#databases/backups/backups.ts'
import { isSameTarget, targetOf } from '#databases/backups/target.ts'
import { mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { BackupSubjects, ConnectionSubject } from './backup-subjects.ts'
import { backupWork, drillWork, restoreWork } from './backup-work.ts'
import { backupToWire } from './backups.wire.ts'
import { withStoreRefusals } from './store-refusals.ts'

export interface BackupRouteOptions {
  backups: Backups
  subjects: BackupSubjects
  jobs: Jobs
}

export function addBackupsRoutes(
  app: FastifyInstance,
  { backups, subjects, jobs }: BackupRouteOptions,
): void {
  mount(app, calls.list, ({ params: { conn } }) =>
    withStoreRefusals(async () => {
      if (await subjects.isGone(conn)) {
        const left = (await backups.listRemoved()).filter(({ connection }) => connection === conn)
        if (left.length > 0) return { backups: left.map((backup) => backupToWire(backup)) }
      }
      const subject = await subjects.find(conn)
      const found = await backups.list(subject.identity)
      return { backups: found.map((backup) => backupToWire(backup, subject)) }
    }),
  )

  mount(app, calls.removed, async () => ({
    backups: (await backups.listRemoved()).map((backup) => backupToWire(backup)),
  }))

  mount(
    app,
    calls.create,
    onceByKey(backups, calls.create, ({ params: { conn } }, { audit }) =>
      withStoreRefusals(async () => {
        const work = backupWork(backups, audit, await subjects.find(conn))
        const answer = await answerInTime(await jobs.start(audit, work), (reply) => reply)
        return failedAs('backup.failed', answer)
      }),
    ),
  )

  mount(
    app,
    calls.restore,
    onceByKey(backups, calls.restore, ({ params: { conn, backupId }, body }, { audit }) =>
      withStoreRefusals(async () => {
        const subject = await subjects.find(conn)
        const refusal =
          refusalOf(subject) ?? (await faultOf(backups, subject, backupId, body?.confirm_target))
        if (refusal !== undefined) return refusal
        const work = restoreWork(backups, audit, subject, Number(backupId))
        const answer = await answerInTime(await jobs.start(audit, work), (reply) => reply)
        return failedAs('restore.failed', answer)
      }),
    ),
  )

  mount(app, calls.drill, ({ params: { conn } }, { audit }) =>
    withStoreRefusals(async () => {
      const work = drillWork(backups, await subjects.find(conn))
      return answerInTime(await jobs.start(audit, work), (reply) => reply)
    }),
  )
}

export function addRetentionRoutes(
  app: FastifyInstance,
  { backups, subjects }: Pick<BackupRouteOptions, 'backups' | 'subjects'>,
): void {
  mount(app, calls.retention, ({ params: { conn } }) =>
    withStoreRefusals(async () => {
      const { keepNewest, keepDays } = await backups.retentionOf((await subjects.find(conn)).identity)
      return { keep_newest: keepNewest, keep_days: keepDays }
    }),
  )

  mount(app, calls.setRetention, ({ params: { conn }, body }, { audit }) =>
    withStoreRefusals(async () => {
      const { keep_newest: keepNewest, keep_days: keepDays } = body
      await backups.setRetention(audit, (await subjects.find(conn)).identity, { keepNewest, keepDays })
      return { message: `The ${keepNewest} newest backups and all of the last ${keepDays} days are kept` }
    }),
  )
}

/** Answers a failed job with the problem code of its call. */
function failedAs<Answer>(code: 'backup.failed' | 'restore.failed', answer: Answer): Answer | Refused {
  return answer instanceof Refused && answer.code === 'job.failed' ? new Refused(code, answer.detail) : answer
}

function refusalOf({ name, isOwn, writable, source }: ConnectionSubject): Refused | undefined {
  if (isOwn) return OWN_STORE
  if (writable) return undefined
  const way =
    source.type === 'parquet'
      ? 'Copy the files out of the backup to bring them back.'
      : 'Make the connection writable to restore it.'
  return new Refused('store.read-only', `'${name}' is read-only. ${way}`, [
    { field: 'path.conn', message: 'is a read-only connection' },
  ])
}

const OWN_STORE = new Refused(
  'connection.built-in',
  "Binnacle's own stores cannot be restored while the server runs. Stop it and run 'npm run restore'.",
  [{ field: 'path.conn', message: "is one of Binnacle's own stores" }],
)

async function faultOf(
  backups: Backups,
  subject: ConnectionSubject,
  id: string,
  confirmed: string | undefined,
): Promise<Refused | undefined> {
  const backup = await backups.find(parseRowId(id))
  if (backup === undefined || backup.type !== subject.source.type) {
    const fault = { field: 'path.backupId', message: 'is not a backup of this connection' }
    return new Refused('thing.unknown', `There is no backup '${id}' of this connection.`, [fault])
  }
  if (backup.status === 'completed') return confirmationOf(backup, subject, confirmed)
  const fault = { field: 'path.backupId', message: `is a backup that is ${backup.status}` }
  return new Refused('backup.not-restorable', `Backup ${id} is ${backup.status}, not completed.`, [fault])
}

/** BACKUP-17: restoring over another database than was backed up is its own act, confirmed with the target. */
function confirmationOf(
  backup: BackupView,
  subject: ConnectionSubject,
  confirmed: string | undefined,
): Refused | undefined {
  const target = targetOf(subject.source)
  if (isSameTarget(backup, subject) || confirmed === target) return undefined
  const origin = backup.target === '' ? 'a database that it does not name' : backup.target
  return new Refused(
    'restore.confirm',
    `Backup ${backup.id} was made of ${origin} ('${backup.connection_name}'). Restoring it here replaces ${target}. Send confirm_target '${target}' to do so.`,
    [{ field: 'body.confirm_target', message: 'must name the database to replace', expected: target }],
  )
}
