import { backups as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import type { Backups } from '#databases/backups/backups.ts'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import { answerStore } from './answer-store.ts'
import type { BackupSubjects, ConnectionSubject } from './backup-subjects.ts'
import { backupWork, drillWork, restoreWork } from './backup-work.ts'
import { backupToWire } from './backups.wire.ts'

export interface BackupNeeds {
  backups: Backups
  subjects: BackupSubjects
  jobs: Jobs
}

export function addBackupsRoutes(app: FastifyInstance, { backups, subjects, jobs }: BackupNeeds): void {
  mount(app, calls.list, ({ params: { conn } }) =>
    answerStore(async () => {
      const found = await backups.list(conn)
      // Backups of a removed connection are still listed.
      const isLeft = found.length > 0 && (await subjects.isGone(conn))
      const listed = isLeft ? found : await backups.list((await subjects.find(conn)).id)
      return { backups: listed.map(backupToWire) }
    }),
  )

  mount(app, calls.create, ({ params: { conn } }, { audit }) =>
    answerStore(async () => {
      const work = backupWork(backups, audit, await subjects.find(conn))
      const answer = await answerInTime(await jobs.start(audit, work), (reply) => reply)
      return failedAs('backup.failed', answer)
    }),
  )

  mount(app, calls.restore, ({ params: { conn, backupId } }, { audit }) =>
    answerStore(async () => {
      const subject = await subjects.find(conn)
      const refusal = refusalOf(subject) ?? (await faultOf(backups, subject.id, backupId))
      if (refusal !== undefined) return refusal
      const work = restoreWork(backups, audit, subject, Number(backupId))
      const answer = await answerInTime(await jobs.start(audit, work), (reply) => reply)
      return failedAs('restore.failed', answer)
    }),
  )

  mount(app, calls.drill, ({ params: { conn } }, { audit }) =>
    answerStore(async () => {
      const work = drillWork(backups, await subjects.find(conn))
      return answerInTime(await jobs.start(audit, work), (reply) => reply)
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

  mount(app, calls.setRetention, ({ params: { conn }, body }, { audit }) =>
    answerStore(async () => {
      const { keep_newest: keepNewest, keep_days: keepDays } = body
      await backups.setRetention(audit, (await subjects.find(conn)).id, { keepNewest, keepDays })
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

async function faultOf(backups: Backups, connection: string, id: string): Promise<Refused | undefined> {
  const backup = /^[1-9]\d{0,14}$/.test(id) ? await backups.find(connection, Number(id)) : undefined
  if (backup === undefined) {
    const fault = { field: 'path.backupId', message: 'is not a backup of this connection' }
    return new Refused('thing.unknown', `There is no backup '${id}' of this connection.`, [fault])
  }
  if (backup.status === 'completed') return undefined
  const fault = { field: 'path.backupId', message: `is a backup that is ${backup.status}` }
  return new Refused('backup.not-restorable', `Backup ${id} is ${backup.status}, not completed.`, [fault])
}
