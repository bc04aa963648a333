import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '#config/config.ts'
import { endWithSentence, StartRefusal } from '#config/start-refusal.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { openDataFolder } from '#storage/data-folder.ts'
import { describeSealed } from '#storage/sealed-values.ts'
import { createKey, KEY_FILE } from '#storage/secret-box.ts'

/** Creates a key in the place of a lost one, which gives up what was sealed with it. Returns the text to print. */
export async function newKeyCommand(dataFolder: string): Promise<string> {
  const storeFile = join(dataFolder, 'admin.sqlite')
  const keyFile = join(dataFolder, KEY_FILE)
  if (!existsSync(storeFile)) {
    throw new StartRefusal(
      `There is no admin.sqlite in the data folder ${dataFolder}. Set BINNACLE_DATA to the data folder of the server.`,
    )
  }
  // The lock ensures that no server runs or starts meanwhile.
  const folder = await openDataFolder(dataFolder)
  try {
    if (existsSync(keyFile)) {
      throw new StartRefusal(`${keyFile} exists. Nothing was changed: a new key is for a folder without one.`)
    }
    const sealed = describeSealed(storeFile)
    if (sealed === '') return 'No value is sealed, so nothing was changed: the next start creates the key.'
    createKey(keyFile)
    await record(storeFile, sealed).catch((fault) => {
      rmSync(keyFile)
      throw fault
    })
    return `${keyFile} was created. What was sealed with the lost key can no longer be read: ${sealed}. Start the server and enter them again.`
  } finally {
    folder.release()
  }
}

async function record(storeFile: string, sealed: string): Promise<void> {
  const store = await openAdminStore(storeFile)
  const act = { ...serverAuditContext('new-key.command'), actor: 'local', role: 'admin' }
  const change = { entity: 'data-folder', target: KEY_FILE, before: null, after: { unreadable: sealed } }
  await store.audit.record(act, change)
  await store.close()
}

async function runFromEnvironment(): Promise<void> {
  process.umask(0o077)
  process.stdout.write(`${await newKeyCommand(parseConfig(process.env).dataFolder)}\n`)
}

if (import.meta.main) await runFromEnvironment().catch(endWithSentence)
