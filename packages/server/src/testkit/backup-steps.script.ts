import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { actOfServer } from '#audit/act.ts'
import { openBackups } from '#backups/backups.ts'
import { createKinds } from '#backups/kinds.ts'
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
  },
})

let left = Number(values['kill-before'])
const store = await openAdminStore(join(values.data ?? '', 'admin.sqlite'))
const backups = await openBackups({
  folder: join(values.data ?? '', 'backups'),
  store,
  kindOf: createKinds({ path: '', binFolder: values.bin }),
  step() {
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
const subject = parseSubject(values.source ?? '')
const act = actOfServer(`test.${values.act}`)
if (values.act === 'make') await backups.make(act, subject, quietControl())
else await backups.restore(act, subject, Number(values.backup), quietControl())
await store.close()
