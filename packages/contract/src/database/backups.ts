import * as z from 'zod'
import { orJob } from '#admin/jobs.ts'
import { endpoint } from '#endpoint.ts'
import { outcomeOf, Succeeded } from '#outcome.ts'
import { Done, Id, ifGiven, listOf, PathId } from '#shared.ts'
import { ByConnection } from './connections.ts'

export const Backup = z
  .object({
    id: Id,
    backup_type: z.string(),
    backup_size: z.number().nullish().describe('In bytes; unknown while the backup is being made'),
    backup_path: z.string().nullish(),
    status: z.string().describe('completed, which alone can be restored; other texts are possible'),
    created_at: z.string(),
  })
  .meta({ id: 'Backup' })
export type Backup = z.output<typeof Backup>

/** Which backups stay: a backup goes when it is beyond the newest and older than the days. */
export const BackupRetention = z
  .object({ keep_newest: z.number(), keep_days: z.number() })
  .meta({ id: 'BackupRetention' })
export type BackupRetention = z.output<typeof BackupRetention>

const NewRetention = z
  .strictObject({
    keep_newest: z.int().min(1).max(10_000),
    keep_days: z.int().min(0).max(36_500),
  })
  .meta({ id: 'NewRetention' })

/** What came of restoring the newest backup to where it harms nothing. */
export const BackupDrill = Succeeded.extend({
  backup_id: Id,
  created_at: z.string().describe('When the backup was made'),
  counts: z.record(z.string(), z.number()).describe('Rows by table, keys by database or rows by file'),
  files: z.number(),
  sha256: z.string().describe('Of the manifest, which has the checksum of every file'),
  duration_ms: z.number(),
}).meta({ id: 'BackupDrill' })
export type BackupDrill = z.output<typeof BackupDrill>

export const backups = {
  list: endpoint('GET /api/db/:conn/backups', {
    summary: 'The backups of a connection, newest first',
    role: 'admin',
    params: ByConnection,
    reply: listOf('backups', Backup),
  }),
  create: endpoint('POST /api/db/:conn/backup', {
    summary: 'Back a connection up; what takes longer than 20 seconds answers 202 with its job',
    role: 'admin',
    params: ByConnection,
    reply: orJob(outcomeOf(Succeeded.extend({ backup_size: ifGiven(z.number()).describe('In bytes') }))),
  }),
  restore: endpoint('POST /api/db/:conn/restore/:backupId', {
    summary: 'Put the data back as a backup holds it, whole or not at all',
    role: 'admin',
    params: ByConnection.extend({ backupId: PathId }),
    reply: orJob(outcomeOf(Succeeded)),
  }),
  drill: endpoint('POST /api/db/:conn/backups/drill', {
    summary: 'Restore the newest backup to where it harms nothing, and count what came out',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: orJob(BackupDrill),
  }),
  retention: endpoint('GET /api/db/:conn/backups/retention', {
    summary: 'Which backups of a connection are kept',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: BackupRetention,
  }),
  setRetention: endpoint('PUT /api/db/:conn/backups/retention', {
    summary: 'Say which backups of a connection are kept; it holds from the next backup on',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: NewRetention,
    reply: Done,
  }),
}
