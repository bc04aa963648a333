import { createPrivateKey, type KeyObject } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative } from 'node:path'
import { JobFailure } from '@binnacle/stores'
import { StartRefusal } from '#config/start-refusal.ts'
import type { Outbound } from '#services/outbound/outbound.ts'
import { isOk } from '#services/outbound/service-probes.ts'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { TasksStore } from '#storage/admin/tasks-store.ts'
import {
  type Anchor,
  type AnchorFault,
  type AnchorKey,
  anchorKeyOf,
  createAnchorKey,
  findAnchorFault,
  signAnchor,
} from '#storage/audit/anchor.ts'
import { type AnchorStore, fileAnchors, postgresAnchors } from '#storage/audit/anchor-stores.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'

/** Proves by signed heads outside the data folder that the log was not rewritten with its chain. */
export interface AuditAnchor {
  /** Where anchors go, without secrets. */
  readonly place: string
  /** The id of the public key. */
  readonly keyId: string
  /** Writes the head of now. */
  write(): Promise<Anchor>
  /** Compares the log with every anchor; undefined if the place cannot be read back. */
  compare(): Promise<AnchorComparison | undefined>
}

export interface AnchorComparison {
  anchors: number
  last: Anchor | undefined
  fault: AnchorFault | undefined
}

export interface AuditAnchorOptions {
  /** A file path, an http(s) address or a postgresql address. */
  place: string
  keyFile: string
  dataFolder: string
  audit: Pick<AuditStore, 'head' | 'hashAt'>
  /** For a webhook. */
  outbound: Outbound
  now?: () => Date
}

/** The same for a server that opens its outbound calls later. */
export function anchorOpener(
  options: Omit<AuditAnchorOptions, 'outbound'>,
): (outbound: Outbound) => AuditAnchor {
  return (outbound) => openAuditAnchor({ ...options, outbound })
}

/** A server with an anchor and no task for it gets one that runs every hour. */
export async function scheduleAnchor(tasks: Pick<TasksStore, 'list' | 'add'>): Promise<void> {
  if ((await tasks.list()).some(({ kind }) => kind === 'audit.anchor')) return
  await tasks.add(serverAuditContext('audit.schedule-anchor'), {
    name: 'Anchor of the audit log',
    kind: 'audit.anchor',
    schedule: '0 * * * *',
    time_zone: 'UTC',
    is_enabled: 1,
    handled_until: new Date().toISOString(),
  })
}

/** Opens the key, which is created the first time. It must not be in the data folder that it guards. */
export function openAuditAnchor(options: AuditAnchorOptions): AuditAnchor {
  const { keyFile, dataFolder, audit, now = () => new Date() } = options
  for (const [name, path] of [
    ['BINNACLE_AUDIT_KEY', keyFile],
    ['BINNACLE_AUDIT_ANCHOR', options.place],
  ] as const) {
    if (isAbsolute(path) && isInside(dataFolder, path))
      throw new StartRefusal(
        `${name} is '${path}', but it must be outside the data folder ${dataFolder}, which it guards.`,
      )
  }
  const key = loadKey(keyFile)
  const place = placeOf(options)
  return {
    place: place.name,
    keyId: key.id,
    async write() {
      const anchor = signAnchor(await audit.head(), now(), key)
      await place.write(anchor)
      return anchor
    },
    async compare() {
      const read = await place.read()
      if (read === undefined) return undefined
      const { anchors, unreadable } = read
      const fault =
        unreadable > 0
          ? {
              seq: 0,
              kind: 'forged' as const,
              detail: `${unreadable} anchors in ${place.name} cannot be read.`,
            }
          : await findAnchorFault(anchors, key, (seq) => audit.hashAt(seq))
      return { anchors: anchors.length, last: anchors.at(-1), fault }
    },
  }
}

function placeOf({ place, outbound }: AuditAnchorOptions): AnchorStore {
  if (/^postgres(ql)?:/.test(place)) return postgresAnchors(place)
  return /^https?:/.test(place) ? webhookAnchors(place, outbound) : fileAnchors(place)
}

/** The receiver keeps the anchors; this server cannot read them back. */
function webhookAnchors(url: string, outbound: Outbound): AnchorStore {
  const name = `the webhook at ${new URL(url).host}`
  return {
    name,
    async write(anchor) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(anchor)
      const outcome = await outbound.send({ method: 'POST', url, headers, body, maxBodyBytes: 0 })
      if (!outcome.ok) throw new JobFailure(`The anchor could not be sent to ${name}: ${outcome.sentence}`)
      if (!isOk(outcome.status))
        throw new JobFailure(`The anchor could not be sent to ${name}: HTTP ${outcome.status}.`)
    },
    read: async () => undefined,
  }
}

const OWNER_ONLY = 0o600

function loadKey(file: string): AnchorKey {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const pem = createAnchorKey().export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(file, pem, { mode: OWNER_ONLY, flag: 'wx', flush: true })
  }
  chmodSync(file, OWNER_ONLY)
  return anchorKeyOf(readKey(file))
}

function readKey(file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(file))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below.
  }
  throw new StartRefusal(
    `${file} (BINNACLE_AUDIT_KEY) is not a private Ed25519 key in PEM form. Restore it, or name another file.`,
  )
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}
