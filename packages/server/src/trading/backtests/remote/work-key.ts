import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { StartRefusal } from '#config/start-refusal.ts'
import { replaceFile } from '#storage/durable-files.ts'

/** The key pair (Ed25519) with which a server signs what it sends to workers. */
export interface WorkKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** Part of the name of the queue: a worker with the key of another server receives nothing of this one. */
  readonly id: string
}

const OWNER_ONLY = 0o600

/**
 * BT-47: creates the key the first time, and the file with its public part that workers need. That file is for its owner
 * only as well: results are signed with a key derived from it (`signResult`).
 */
export function openWorkKey(privateFile: string, publicFile: string): WorkKey {
  if (!existsSync(privateFile)) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(privateFile, pem, { mode: OWNER_ONLY, flag: 'wx', flush: true })
  }
  const privateKey = readKey(privateFile, createPrivateKey, 'a private')
  const publicKey = createPublicKey(privateKey)
  replaceFile(publicFile, String(publicKey.export({ type: 'spki', format: 'pem' })))
  return { privateKey, publicKey, id: keyId(publicKey) }
}

/** The file that a worker was given. */
export function readPublicKey(file: string): KeyObject {
  return readKey(file, createPublicKey, 'a public')
}

export function keyId(publicKey: KeyObject): string {
  const bytes = publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export function signText(text: string, { privateKey }: WorkKey): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64')
}

export function isSignedBy(text: string, signature: string, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
}

const RESULT_KEY_BYTES = 32

/**
 * BT-63: signs the result of a run with a key that is derived from the worker's file and the run. The file never passes
 * through Redis, so that write access there is not enough to make results.
 */
export function signResult(text: string, runId: string, publicKey: KeyObject): string {
  const bytes = publicKey.export({ type: 'spki', format: 'der' })
  const key = hkdfSync('sha256', bytes, runId, 'binnacle result', RESULT_KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(text).digest('base64')
}

export function isResultSigned(
  text: string,
  signature: string,
  runId: string,
  publicKey: KeyObject,
): boolean {
  const expected = Buffer.from(signResult(text, runId, publicKey))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function readKey(file: string, parse: (pem: Buffer) => KeyObject, what: string): KeyObject {
  try {
    const key = parse(readFileSync(file))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below.
  }
  throw new StartRefusal(`${file} is not ${what} Ed25519 key in PEM form. Restore it, or name another file.`)
}
