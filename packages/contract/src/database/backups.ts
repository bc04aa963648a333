import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { outcomeOf, Succeeded } from '#outcome.ts'
import { Id, ifGiven, listOf, PathId } from '#shared.ts'
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

export const backups = {
  list: endpoint('GET /api/db/:conn/backups', {
    summary: 'The backups of a connection, newest first',
    role: 'admin',
    params: ByConnection,
    reply: listOf('backups', Backup),
  }),
  create: endpoint('POST /api/db/:conn/backup', {
    summary: 'Back a connection up',
    role: 'admin',
    params: ByConnection,
    reply: outcomeOf(Succeeded.extend({ backup_size: ifGiven(z.number()).describe('In bytes') })),
  }),
  restore: endpoint('POST /api/db/:conn/restore/:backupId', {
    summary: 'Put the data back as a backup holds it',
    role: 'admin',
    params: ByConnection.extend({ backupId: PathId }),
    reply: outcomeOf(Succeeded),
  }),
}
