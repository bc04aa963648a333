import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import * as z from 'zod'
import { StartRefusal } from './start-refusal.ts'

export const ENGINE_KINDS = ['embedded', 'nautilus'] as const
export const NODE_ADDRESS = 'a socket such as /srv/node/bridge.sock, or tls://node.example:7001'
export const TRADER_ID = 'up to 40 letters, digits, dashes and underscores'
export const TRADER_ID_PATTERN = /^[\w-]{1,40}$/
const FILE = 'an absolute file path'
const NAME = 'up to 32 letters, digits, dashes and underscores'
const MAX_ENGINES = 16

/** One engine of the console. */
export interface EngineConfig {
  name: string
  kind: (typeof ENGINE_KINDS)[number]
  traderId: string
  /** A node that runs elsewhere. */
  node?: NautilusNode | undefined
}

export interface NautilusNode {
  /** As it was given, for messages. */
  address: string
  at: { kind: 'socket'; path: string } | { kind: 'tls'; host: string; port: number }
  tokenFile: string | undefined
  caFile: string | undefined
}

export function parseNodeAddress(text: string): NautilusNode['at'] | undefined {
  if (isAbsolute(text)) return { kind: 'socket', path: text }
  if (!URL.canParse(text) || new URL(text).protocol !== 'tls:') return undefined
  const { hostname, port, pathname, username } = new URL(text)
  const isPlain = hostname !== '' && port !== '' && username === '' && /^\/?$/.test(pathname)
  return isPlain ? { kind: 'tls', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) } : undefined
}

const Path = z.string(`must be ${FILE}`).refine((file) => isAbsolute(file), `must be ${FILE}`)

/** The fields of one engine in the file. */
const Entry = z.strictObject({
  name: z.string(`must be ${NAME}`).regex(/^[\w-]{1,32}$/, `must be ${NAME}`),
  kind: z.enum(ENGINE_KINDS, 'must be "embedded" or "nautilus"'),
  address: z
    .string(`must be ${NODE_ADDRESS}`)
    .refine((text) => parseNodeAddress(text) !== undefined, `must be ${NODE_ADDRESS}`)
    .optional(),
  token_file: Path.optional(),
  ca_file: Path.optional(),
  trader_id: z.string(`must be ${TRADER_ID}`).regex(TRADER_ID_PATTERN, `must be ${TRADER_ID}`).optional(),
})
type Entry = z.output<typeof Entry>

const Entries = z
  .array(Entry, 'must be a list such as [{ "name": "desk", "kind": "embedded" }]')
  .min(1, 'must name at least one engine')
  .max(MAX_ENGINES, `must name at most ${MAX_ENGINES} engines`)

/** Reads the engines of a JSON file, the default one first; a fault ends the start with a sentence. */
export function readEnginesFile(file: string, traderId: string): readonly EngineConfig[] {
  const parsed = Entries.safeParse(readJson(file))
  if (!parsed.success) throw refusalOf(file, parsed.error)
  const entries = parsed.data
  refuseRepeated(file, 'name', entries, ({ name }) => name.toLowerCase())
  refuseRepeated(file, 'address', entries, ({ address }) => address)
  return entries.map((entry) => {
    const node = nodeOf(file, entry)
    const { name, kind, trader_id = traderId } = entry
    return { name, kind, traderId: trader_id, ...(node && { node }) }
  })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault)
    throw new StartRefusal(`BINNACLE_ENGINES: ${file} cannot be read: ${reason}. Correct the file.`)
  }
}

function refusalOf(file: string, { issues: [issue] }: z.ZodError): StartRefusal {
  const [index, ...path] = issue?.path ?? []
  const place = index === undefined ? 'it' : [`engine ${Number(index) + 1}`, ...path].join(': ')
  return new StartRefusal(`BINNACLE_ENGINES: ${file}: ${place}: ${issue?.message}.`)
}

function refuseRepeated(
  file: string,
  field: string,
  entries: readonly Entry[],
  fieldOf: (entry: Entry) => string | undefined,
): void {
  const values = entries.map(fieldOf)
  const repeated = values.findIndex((value, index) => value !== undefined && values.indexOf(value) < index)
  if (repeated < 0) return
  throw new StartRefusal(
    `BINNACLE_ENGINES: ${file}: engine ${repeated + 1}: ${field}: '${values[repeated]}' is used twice. Each engine needs its own.`,
  )
}

function nodeOf(file: string, entry: Entry): NautilusNode | undefined {
  const { name, kind, address, token_file: tokenFile, ca_file: caFile } = entry
  const refuse = (why: string) => new StartRefusal(`BINNACLE_ENGINES: ${file}: engine '${name}': ${why}.`)
  const at = address === undefined ? undefined : parseNodeAddress(address)
  if (address === undefined || at === undefined) {
    if (tokenFile === undefined && caFile === undefined) return undefined
    throw refuse('token_file and ca_file need an address')
  }
  if (kind !== 'nautilus') throw refuse('an address needs the kind "nautilus"')
  if (at.kind === 'tls' && tokenFile === undefined) throw refuse('a node by TLS needs its token_file')
  return { address, at, tokenFile, caFile }
}
