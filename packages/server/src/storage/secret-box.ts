import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartRefusal } from '#config/start-refusal.ts'
import { syncPath } from '#storage/durable-files.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OWNER_ONLY = 0o600
const UNBOUND = 'v1'
const VERSION = 'v2'

/** Encrypts texts with a key file (AES-256-GCM). Each is bound to its owner, so it cannot be moved to another row. */
export interface SecretBox {
  /** The owner names the row, such as 'connection/8d2f…'. */
  seal(text: string, owner: string): string
  /** Returns undefined if the text was sealed with another key or for another owner, or altered. */
  open(sealed: string, owner: string): string | undefined
  /** Opens a text of version 1.0.0, which has no owner. Only for migrations. */
  openUnbound(sealed: string): string | undefined
}

/** The owner of a secret setting's value. */
export function settingOwner(key: string): string {
  return `setting/${key}`
}

/** Loads the key file beside a store; creates it the first time. */
export function openSecretBox(keyFile: string): SecretBox {
  return createSecretBox(loadKey(keyFile))
}

/** The key file is in the folder of the store. A store in memory has a key of its own. */
export function secretBoxBeside(storeFile: string): SecretBox {
  return storeFile === ':memory:'
    ? createSecretBox(randomBytes(KEY_BYTES))
    : openSecretBox(join(dirname(storeFile), KEY_FILE))
}

export const KEY_FILE = 'secret.key'

/** Whether a text has the form of a sealed one, of this or an earlier version. */
export function isSealed(text: string): boolean {
  return [VERSION, UNBOUND].some((version) => bytesOf(text, version) !== undefined)
}

function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    open: (sealed, owner) => decrypt(key, bytesOf(sealed, VERSION), owner),
    openUnbound: (sealed) => decrypt(key, bytesOf(sealed, UNBOUND), ''),
  }
}

function bytesOf(sealed: string, version: string): Buffer | undefined {
  const [form, base64 = ''] = sealed.split(':')
  const bytes = Buffer.from(base64, 'base64')
  return form === version && bytes.length >= NONCE_BYTES + TAG_BYTES ? bytes : undefined
}

function decrypt(key: Buffer, bytes: Buffer | undefined, owner: string): string | undefined {
  if (bytes === undefined) return undefined
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  cipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([cipher.update(text), cipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function loadKey(file: string): Buffer {
  try {
    if (!existsSync(file)) createKey(file)
  } catch (fault) {
    if (!isAlreadyExists(fault)) throw fault
  }
  // Copying a data folder may lose file modes.
  chmodSync(file, OWNER_ONLY)
  const key = readFileSync(file)
  if (key.length === KEY_BYTES) return key
  throw new StartRefusal(
    `${file} is damaged: a key has ${KEY_BYTES} bytes, this file ${key.length}. Restore it from a backup; or remove it, run 'npm run new-key' and enter the connection strings of your databases again.`,
  )
}

/** Writes a temporary file and links it: the key is complete, and an existing key is never replaced. */
export function createKey(file: string): void {
  const temporary = `${file}.${process.pid}.new`
  rmSync(temporary, { force: true })
  const opened = openSync(temporary, 'wx', OWNER_ONLY)
  try {
    writeSync(opened, randomBytes(KEY_BYTES))
    fsyncSync(opened)
    linkSync(temporary, file)
    syncPath(dirname(file))
  } finally {
    closeSync(opened)
    rmSync(temporary, { force: true })
  }
}

function isAlreadyExists(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'EEXIST'
}
