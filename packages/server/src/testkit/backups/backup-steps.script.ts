import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { actOfServer } from '#audit/act.ts'
import { openBackups } from '#backups/backups.ts'
import { createKinds } from '#backups/kinds.ts'
import { restoreOwn } from '#backups/restore-own.ts'
import { openVault } from '#backups/vault.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { parseSubject, quietControl } from './backup-subjects.ts'

/**
 * Makes or restores a backup and ends itself with SIGKILL before the step of that number. Exits with 0 when there
 * are fewer steps.
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

// A process that is killed writes none by itself.
flushCompileCache()
let left = Number(values['kill-before'])
function count(name: string): void {
  if (values['pass-over']?.includes(name)) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const vaultFolder = join(values.data ?? '', 'backups')
const kindOf = createKinds({ path: '', binFolder: values.bin })
const store = await openAdminStore(join(values.data ?? '', 'admin.sqlite'))
const backups = await openBackups({
  folder: vaultFolder,
  store,
  kindOf,
  step: count,
})
const subject = parseSubject(values.source ?? '')
const act = actOfServer(`test.${values.act}`)
if (values.act === 'make') await backups.make(act, subject, quietControl())
else if (values.act === 'restore') await backups.restore(act, subject, Number(values.backup), quietControl())
else await restoreAsOwn()
await store.close()

/** As the command does it, with nothing else running. */
async function restoreAsOwn(): Promise<void> {
  const vault = await openVault(vaultFolder)
  const backup = await store.backups.find(Number(values.backup))
  const { source } = subject
  if (source.type !== 'sqlite' || backup === undefined) throw new Error('Only SQLite files are restored so')
  const keepIn = join(values.data ?? '', 'before', values['kill-before'] ?? '')
  await restoreOwn({ vault, kindOf, name: backup.name, source, keepIn, step: count }, quietControl())
}
