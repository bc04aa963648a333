import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBackupDrivers } from '@binnacle/stores'
import { openBackups } from '#databases/backups/backups.ts'
import { restoreOwn } from '#databases/backups/restore-own.ts'
import { openVault } from '#databases/backups/vault.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { parseSubject, quietControl } from './backup-subjects.ts'

/**
 * Makes or restores a backup and kills itself before the given step. Exits with 0 when there are fewer steps.
 */
const { values } = parseArgs({
  options: {
    act: { type: 'string' },
    data: { type: 'string' },
    source: { type: 'string' },
    backup: { type: 'string' },
    bin: { type: 'string' },
    'kill-before': { type: 'string' },
    'pass-over': { type: 'string', multiple: true },
  },
})

// A killed process does not write its compile cache.
flushCompileCache()
let left = Number(values['kill-before'])
function count(name: string): void {
  if (values['pass-over']?.includes(name)) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const vaultFolder = join(values.data ?? '', 'backups')
const driverFor = createBackupDrivers({ path: '', binFolder: values.bin })
const store = await openAdminStore(join(values.data ?? '', 'admin.sqlite'))
const backups = await openBackups({
  folder: vaultFolder,
  store,
  driverFor,
  step: count,
})
const subject = parseSubject(values.source ?? '')
const audit = serverAuditContext(`test.${values.act}`)
if (values.act === 'make') await backups.make(audit, subject, quietControl())
else if (values.act === 'restore')
  await backups.restore(audit, subject, Number(values.backup), quietControl())
else await restoreAsOwn()
await store.close()

/** Restores as the restore command does. */
async function restoreAsOwn(): Promise<void> {
  const vault = await openVault(vaultFolder)
  const backup = await store.backups.find(Number(values.backup))
  const { source } = subject
  if (source.type !== 'sqlite' || backup === undefined) throw new Error('Only SQLite files are restored so')
  const keepIn = join(values.data ?? '', 'before', values['kill-before'] ?? '')
  await restoreOwn({ vault, driverFor, name: backup.name, source, keepIn, step: count }, quietControl())
}
