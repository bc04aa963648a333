import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { parseConfig } from '#config/config.ts'
import { endWithSentence, StartRefusal } from '#config/start-refusal.ts'
import { sizeText } from '#databases/size-text.ts'
import type { PartDigest } from './parts.ts'
import { restoreBackup } from './restore-backup.ts'
import { readBackup, type SaveOptions, saveBackup, skip } from './save-backup.ts'

const USAGE = `npm run backup -- save FILE                    saves everything in the data folder as one file, while the server runs
npm run backup -- verify FILE                  reads a file in full and compares every checksum
npm run backup -- restore FILE --to FOLDER     restores a file to a new data folder and verifies it

The passphrase is read from the file given with --passphrase-file (- is the standard input), or from BINNACLE_BACKUP_PASSPHRASE.`

const MIN_PASSPHRASE_CHARS = 8

const NO_KEY = `No passphrase was given, so the file is not encrypted, and the key of stored secrets (secret.key) and those of the work queue (work-key.pem, work-key.pub) were left out. Copy secret.key and work-key.pem separately; or run 'npm run new-key' after a restore, enter connection strings and secret settings again, and give workers the new work-key.pub.`
const KEY_MISSING = `The private keys secret.key and work-key.pem are not in this backup. Copy them into the folder before the first start; or run 'npm run new-key' with BINNACLE_DATA set to the folder, enter connection strings and secret settings again, and give workers the new work-key.pub.`

export interface BackupCommandContext {
  env: Record<string, string | undefined>
  /** Where relative paths begin. */
  workingFolder: string
  /** Of deriving the key from the passphrase. */
  cost?: number
}

/** Runs `npm run backup`. Returns the text to print. */
export async function backupCommand(args: string[], context: BackupCommandContext): Promise<string> {
  const { positionals, values } = readArguments(args)
  const [action, name] = positionals
  const file = resolve(context.workingFolder, name ?? '')
  const isComplete = positionals.length === 2 && (action === 'restore') === (values.to !== undefined)
  if (!isComplete) throw new StartRefusal(USAGE)
  const passphrase = await readPassphrase(values['passphrase-file'], context)
  switch (action) {
    case 'save':
      return save({ dataFolder: parseConfig(context.env).dataFolder, file, passphrase, cost: context.cost })
    case 'verify': {
      const parts = await readBackup({ file, passphrase }, skip)
      return `${file} is complete and unchanged: ${describe(parts)}.`
    }
    case 'restore':
      return restore(file, resolve(context.workingFolder, values.to ?? ''), passphrase)
    default:
      throw new StartRefusal(USAGE)
  }
}

async function save(options: SaveOptions): Promise<string> {
  const { dataFolder, file } = options
  const { parts, bytes, hasKey } = await saveBackup(options)
  const saved = `${dataFolder} was saved to ${file} (${sizeText(bytes)}) and read back: ${describe(parts)}. Logs and the folders backups and before-restore are not in it.`
  return hasKey ? saved : `${saved}\n${NO_KEY}`
}

async function restore(file: string, folder: string, passphrase: string | undefined): Promise<string> {
  const { parts, hasKey, auditRecords } = await restoreBackup({ file, folder, passphrase })
  const restored = `${file} was restored to ${folder} and verified: ${describe(parts)}, every journal entry, ${auditRecords} audit records. Start the server with BINNACLE_DATA=${folder}.`
  return hasKey ? restored : `${restored}\n${KEY_MISSING}`
}

function describe(parts: readonly PartDigest[]): string {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  return `${parts.length} files, ${sizeText(bytes)}`
}

function readArguments(args: string[]) {
  try {
    const options = { to: { type: 'string' }, 'passphrase-file': { type: 'string' } } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch (fault) {
    throw new StartRefusal(`${Object(fault).message}\n${USAGE}`)
  }
}

async function readPassphrase(
  file: string | undefined,
  { env, workingFolder }: BackupCommandContext,
): Promise<string | undefined> {
  const given = file === undefined ? env.BINNACLE_BACKUP_PASSPHRASE : await readLine(file, workingFolder)
  if (given === undefined || (file === undefined && given === '')) return undefined
  if (given.length >= MIN_PASSPHRASE_CHARS) return given
  throw new StartRefusal(
    `A passphrase has at least ${MIN_PASSPHRASE_CHARS} characters; this one has ${given.length}.`,
  )
}

async function readLine(file: string, workingFolder: string): Promise<string> {
  const content =
    file === '-'
      ? await text(process.stdin)
      : await readFile(resolve(workingFolder, file), 'utf8').catch((fault) => {
          throw new StartRefusal(`The passphrase file ${file} cannot be read (${fault.code}).`)
        })
  return content.split(/\r?\n/, 1)[0] ?? ''
}

async function runFromEnvironment(): Promise<void> {
  process.umask(0o077)
  // npm changes to the folder of the project and says where it was called.
  const workingFolder = process.env.INIT_CWD ?? process.cwd()
  const output = await backupCommand(process.argv.slice(2), { env: process.env, workingFolder })
  process.stdout.write(`${output}\n`)
}

if (import.meta.main) await runFromEnvironment().catch(endWithSentence)
