import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import * as z from 'zod'
import { type ChainHead, canonicalJson } from './chain.ts'

/** The head of the audit chain at a time, signed. Stored outside the data folder, it proves what the log had then. */
export const Anchor = z.object({
  version: z.literal(1),
  at: z.string(),
  seq: z.number().int().nonnegative(),
  hash: z.string(),
  /** The first characters of the SHA-256 of the public key. */
  key_id: z.string(),
  signature: z.string(),
})
export type Anchor = z.output<typeof Anchor>

export interface AnchorKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly id: string
}

/** From a private key (Ed25519) in PEM form. */
export function anchorKeyOf(privateKey: KeyObject): AnchorKey {
  const publicKey = createPublicKey(privateKey)
  const bytes = publicKey.export({ type: 'spki', format: 'der' })
  return { privateKey, publicKey, id: createHash('sha256').update(bytes).digest('hex').slice(0, 16) }
}

export function createAnchorKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

export function signAnchor({ seq, hash }: ChainHead, at: Date, key: AnchorKey): Anchor {
  const content = { version: 1 as const, at: at.toISOString(), seq, hash, key_id: key.id }
  const signature = sign(null, Buffer.from(canonicalJson(content)), key.privateKey).toString('base64')
  return { ...content, signature }
}

export interface AnchorFault {
  /** The record that the anchor proves. */
  seq: number
  kind: 'altered' | 'removed' | 'forged'
  detail: string
}

/** Compares the log with its anchors; the oldest difference, or undefined. */
export async function findAnchorFault(
  anchors: readonly Anchor[],
  key: AnchorKey,
  hashAt: (seq: number) => Promise<string | undefined>,
): Promise<AnchorFault | undefined> {
  for (const anchor of anchors) {
    const { at, seq } = anchor
    if (!isGenuine(anchor, key))
      return {
        seq,
        kind: 'forged',
        detail: `The anchor of ${at} was not signed with the key of this server.`,
      }
    if (seq === 0) continue
    const found = await hashAt(seq)
    if (found === undefined) {
      const detail = `Record ${seq} was removed: the anchor of ${at} proves that the log had it.`
      return { seq, kind: 'removed', detail }
    }
    if (found !== anchor.hash) {
      const detail = `The log was rewritten: the anchor of ${at} has another hash of record ${seq}.`
      return { seq, kind: 'altered', detail }
    }
  }
  return undefined
}

function isGenuine({ signature, ...content }: Anchor, key: AnchorKey): boolean {
  const bytes = Buffer.from(canonicalJson(content))
  return verify(null, bytes, key.publicKey, Buffer.from(signature, 'base64'))
}

/** The anchors of a text with one JSON object per line; lines that are not anchors are counted. */
export function parseAnchors(text: string): { anchors: Anchor[]; unreadable: number } {
  const parsed = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Anchor.safeParse(jsonIn(line)).data)
  const anchors = parsed.filter((anchor) => anchor !== undefined)
  return { anchors, unreadable: parsed.length - anchors.length }
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
