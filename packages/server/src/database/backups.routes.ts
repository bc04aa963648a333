import { backups as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Backups } from '#backups/backups.ts'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { answerInTime } from '#jobs/answer-in-time.ts'
import type { Jobs } from '#jobs/job-runner.ts'
import type { BackupSubjects, ConnectionSubject } from './backup-subjects.ts'
import { backupWork, drillWork, restoreWork } from './backup-work.ts'
import { backupToWire } from './backups.wire.ts'
import { answerStore } from './drivers/answer-store.ts'

export interface BackupNeeds {
  backups: Backups
  subjects: BackupSubjects
  jobs: Jobs
}

export function addBackupsRoutes(app: FastifyInstance, { backups, subjects, jobs }: BackupNeeds): void {
  mount(app, calls.list, ({ params: { conn } }) =>
    answerStore(async () => {
      const kept = await backups.list(conn)
      // Those of a connection that was deleted are still there.
      const isLeft = kept.length > 0 && (await subjects.isGone(conn))
      const listed = isLeft ? kept : await backups.list((await subjects.find(conn)).id)
      return { backups: listed.map(backupToWire) }
    }),
  )

  mount(app, calls.create, ({ params: { conn } }, act) =>
    answerStore(async () => {
      const work = backupWork(backups, act, await subjects.find(conn))
      const answer = await answerInTime(await jobs.start(act, work), (reply) => reply)
      return failedAs('backup.failed', answer)
    }),
  )

  mount(app, calls.restore, ({ params: { conn, backupId } }, act) =>
    answerStore(async () => {
      const subject = await subjects.find(conn)
      const refusal = refusalOf(subject) ?? (await faultOf(backups, subject.id, backupId))
      if (refusal !== undefined) return refusal
      const work = restoreWork(backups, act, subject, Number(backupId))
      const answer = await answerInTime(await jobs.start(act, work), (reply) => reply)
      return failedAs('restore.failed', answer)
    }),
  )

  mount(app, calls.drill, ({ params: { conn } }, act) =>
    answerStore(async () => {
      const work = drillWork(backups, await subjects.find(conn))
      return answerInTime(await jobs.start(act, work), (reply) => reply)
    }),
  )
}

export function addRetentionRoutes(
  app: FastifyInstance,
  { backups, subjects }: Pick<BackupNeeds, 'backups' | 'subjects'>,
): void {
  mount(app, calls.retention, ({ params: { conn } }) =>
    answerStore(async () => {
      const { keepNewest, keepDays } = await backups.retentionOf((await subjects.find(conn)).id)
      return { keep_newest: keepNewest, keep_days: keepDays }
    }),
  )

  mount(app, calls.setRetention, ({ params: { conn }, body }, act) =>
    answerStore(async () => {
      const { keep_newest: keepNewest, keep_days: keepDays } = body
      await backups.setRetention(act, (await subjects.find(conn)).id, { keepNewest, keepDays })
      return { message: `The ${keepNewest} newest and all of the last ${keepDays} days are kept` }
    }),
  )
}

/** What failed as a job is told as the failure of its call. */
function failedAs<Answer>(code: 'backup.failed' | 'restore.failed', answer: Answer): Answer | Refused {
  return answer instanceof Refused && answer.code === 'job.failed' ? new Refused(code, answer.detail) : answer
}

function refusalOf({ name, isOwn, writable, source }: ConnectionSubject): Refused | undefined {
  if (isOwn) return OWN
  if (writable) return undefined
  const way =
    source.type === 'parquet'
      ? 'Copy the files out of the backup to bring them back.'
      : 'Make the connection writable to restore it.'
  return new Refused('store.read-only', `'${name}' is read-only. ${way}`, [
    { field: 'path.conn', message: 'names a read-only connection' },
  ])
}

const OWN = new Refused(
  'connection.built-in',
  "Binnacle's own stores are never replaced under a running engine. Stop the server and use 'npm run restore'.",
  [{ field: 'path.conn', message: 'names a store of our own' }],
)

async function faultOf(backups: Backups, connection: string, id: string): Promise<Refused | undefined> {
  const backup = /^[1-9]\d{0,14}$/.test(id) ? await backups.find(connection, Number(id)) : undefined
  if (backup === undefined) {
    const fault = { field: 'path.backupId', message: 'names no backup of this connection' }
    return new Refused('thing.unknown', `There is no backup '${id}' of this connection.`, [fault])
  }
  if (backup.status === 'completed') return undefined
  const fault = { field: 'path.backupId', message: `names a backup that is ${backup.status}` }
  return new Refused('backup.not-restorable', `Backup ${id} is ${backup.status}, not completed.`, [fault])
}
