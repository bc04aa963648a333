import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '#config/config.ts'
import { endWithSentence, StartRefusal } from '#config/start-refusal.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { ACKNOWLEDGE_ACTION } from '#storage/audit/losses.ts'
import { openDataFolder } from '#storage/data-folder.ts'

/** Records that a person accepts the losses of the audit log, which then verifies as intact. Returns the text to print. */
export async function acknowledgeLossCommand(dataFolder: string): Promise<string> {
  if (!existsSync(join(dataFolder, 'admin.sqlite'))) {
    throw new StartRefusal(
      `There is no admin.sqlite in the data folder ${dataFolder}. Set BINNACLE_DATA to the data folder of the server.`,
    )
  }
  // The lock ensures that no server runs or starts meanwhile.
  const folder = await openDataFolder(dataFolder)
  try {
    folder.checkStores()
    const { audit, close } = await openAdminStore(folder.at('admin.sqlite'))
    try {
      const losses = await audit.openLosses()
      if (losses.length === 0) return 'The audit log has no loss to acknowledge. Nothing was changed.'
      const records = losses.map(({ seq }) => seq)
      const act = { ...serverAuditContext(ACKNOWLEDGE_ACTION), actor: 'local', role: 'admin' }
      const change = { entity: 'audit-log', target: 'head', before: null, after: { acknowledged: records } }
      await audit.record(act, change)
      return `Acknowledged: ${records.length === 1 ? 'the loss' : 'the losses'} in the audit log recorded as ${records.join(', ')}. They stay in the log; it verifies as intact from now on.`
    } finally {
      await close()
    }
  } finally {
    folder.release()
  }
}

async function runFromEnvironment(): Promise<void> {
  process.umask(0o077)
  process.stdout.write(`${await acknowledgeLossCommand(parseConfig(process.env).dataFolder)}\n`)
}

if (import.meta.main) await runFromEnvironment().catch(endWithSentence)
