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
import { dirname } from 'node:path'
import { StartRefusal } from './start-refusal.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OWNER_ONLY = 0o600
const VERSION = 'v1'

/** Encrypts texts with a key file (AES-256-GCM). */
export interface SecretBox {
  seal(text: string): string
  /** Returns undefined if the text was sealed with another key or altered. */
  open(sealed: string): string | undefined
}

/** Loads the key file; creates it the first time. */
export function openSecretBox(keyFile: string): SecretBox {
  const key = loadKey(keyFile)
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    open(sealed) {
      const [form, base64 = ''] = sealed.split(':')
      const bytes = Buffer.from(base64, 'base64')
      if (form !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      return decrypt(key, bytes)
    },
  }
}

function decrypt(key: Buffer, bytes: Buffer): string | undefined {
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
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
    `${file} is damaged: a key has ${KEY_BYTES} bytes, this file ${key.length}. Restore it from a backup; or remove it, and enter the connection strings of your databases again.`,
  )
}

/** Writes a temporary file and links it: the key is complete, and an existing key is never replaced. */
function createKey(file: string): void {
  const temporary = `${file}.${process.pid}.new`
  rmSync(temporary, { force: true })
  const opened = openSync(temporary, 'wx', OWNER_ONLY)
  try {
    writeSync(opened, randomBytes(KEY_BYTES))
    fsyncSync(opened)
    linkSync(temporary, file)
    syncFolder(dirname(file))
  } finally {
    closeSync(opened)
    rmSync(temporary, { force: true })
  }
}

function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

function isAlreadyExists(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'EEXIST'
}
