import * as z from 'zod'
import { orJob } from '#admin/jobs.ts'
import { databaseEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Succeeded, successUnlessFalse } from '#outcome.ts'
import { Done, Id, ifGiven, listOf, PathId } from '#shared.ts'
import { ByConnection } from './connections.ts'

export const Backup = object(() => ({
  id: Id,
  backup_type: z.string(),
  backup_size: z.number().nullish().describe('In bytes; null while the backup is running'),
  backup_path: z.string().nullish(),
  status: z.string().describe('Only completed backups can be restored; other texts are possible'),
  created_at: z.string(),
  connection_name: ifGiven(z.string()).describe('The name of the connection when the backup was made'),
  target: ifGiven(z.string()).describe('What was backed up: address and database, or path'),
  confirm_target: ifGiven(z.string()).describe(
    'Set when a restore would replace another database than was backed up: its address, which the restore must confirm',
  ),
})).meta({ id: 'Backup' })
export type Backup = z.output<typeof Backup>

/** A backup is deleted when it is neither among the newest nor younger than the days. */
export const BackupRetention = object(() => ({ keep_newest: z.number(), keep_days: z.number() })).meta({
  id: 'BackupRetention',
})
export type BackupRetention = z.output<typeof BackupRetention>

const NewRetention = strictObject(() => ({
  keep_newest: z.int().min(1).max(10_000),
  keep_days: z.int().min(0).max(36_500),
})).meta({ id: 'NewRetention' })

/** The result of restoring the newest backup to a scratch location. */
export const BackupDrill = object(() => ({
  ...Succeeded.shape,
  backup_id: Id,
  created_at: z.string().describe('When the backup was made'),
  counts: z.record(z.string(), z.number()).describe('Rows per table, keys per database or rows per file'),
  files: z.number(),
  sha256: z.string().describe('Checksum of the manifest, which lists the checksum of every file'),
  duration_ms: z.number(),
})).meta({ id: 'BackupDrill' })
export type BackupDrill = z.output<typeof BackupDrill>

export const backups = {
  list: databaseEndpoint('GET /api/db/:conn/backups', {
    summary: 'The backups of a connection, newest first',
    role: 'admin',
    params: ByConnection,
    reply: listOf('backups', Backup),
  }),
  removed: databaseEndpoint('GET /api/db/backups/removed', {
    summary: 'Backups whose connection no longer exists, newest first',
    role: 'admin',
    origin: 'ours',
    reply: listOf('backups', Backup),
  }),
  create: databaseEndpoint('POST /api/db/:conn/backup', {
    summary: 'Back up a connection; after 20 seconds the reply is 202 with the job',
    role: 'admin',
    acceptsKey: true,
    params: ByConnection,
    reply: orJob(
      successUnlessFalse(
        object(() => ({
          ...Succeeded.shape,
          backup_size: ifGiven(z.number()).describe('In bytes'),
          warnings: ifGiven(z.array(z.string())).describe('What the backup could not verify'),
        })),
      ),
    ),
  }),
  restore: databaseEndpoint('POST /api/db/:conn/restore/:backupId', {
    summary: 'Restore a backup, completely or not at all',
    role: 'admin',
    acceptsKey: true,
    params: strictObject(() => ({ ...ByConnection.shape, backupId: PathId })),
    body: strictObject(() => ({
      confirm_target: z
        .string()
        .max(4096)
        .optional()
        .describe('Address and database that will be replaced, when it is not the one that was backed up'),
    })).optional(),
    reply: orJob(successUnlessFalse(Succeeded)),
  }),
  drill: databaseEndpoint('POST /api/db/:conn/backups/drill', {
    summary: 'Restore the newest backup to a scratch location and count its rows',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: orJob(BackupDrill),
  }),
  retention: databaseEndpoint('GET /api/db/:conn/backups/retention', {
    summary: 'The backup retention of a connection',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: BackupRetention,
  }),
  setRetention: databaseEndpoint('PUT /api/db/:conn/backups/retention', {
    summary: 'Change the backup retention of a connection; it applies from the next backup',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: NewRetention,
    reply: Done,
  }),
}
