import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
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
  /** The former name of the engine whose data this one has from now on. */
  takesOver?: string | undefined
}

export interface NautilusNode {
  /** As it was given, for messages. */
  address: string
  at: { kind: 'socket'; path: string } | { kind: 'tls'; host: string; port: number }
  tokenFile: string | undefined
  caFile: string | undefined
}

/** Host and port alone: an address is shown and logged, so it must have no place for a password. */
const TLS_ADDRESS = /^tls:\/\/[^/?#@\s]+\/?$/i

export function parseNodeAddress(text: string): NautilusNode['at'] | undefined {
  if (isAbsolute(text)) return text.includes('\0') ? undefined : { kind: 'socket', path: text }
  if (!TLS_ADDRESS.test(text) || !URL.canParse(text)) return undefined
  const { hostname, port } = new URL(text)
  if (hostname === '' || Number(port) === 0) return undefined
  return { kind: 'tls', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}

const Path = z.string(`must be ${FILE}`).refine((file) => isAbsolute(file), `must be ${FILE}`)

const Name = z.string(`must be ${NAME}`).regex(/^[\w-]{1,32}$/, `must be ${NAME}`)

/** The fields of one engine in the file. */
const Entry = z.strictObject({
  name: Name,
  kind: z.enum(ENGINE_KINDS, 'must be "embedded" or "nautilus"'),
  address: z
    .string(`must be ${NODE_ADDRESS}`)
    .refine((text) => parseNodeAddress(text) !== undefined, `must be ${NODE_ADDRESS}`)
    .optional(),
  token_file: Path.optional(),
  ca_file: Path.optional(),
  trader_id: z.string(`must be ${TRADER_ID}`).regex(TRADER_ID_PATTERN, `must be ${TRADER_ID}`).optional(),
  takes_over: Name.optional(),
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
  refuseRepeated(file, 'address', entries, ({ address }) => address && plainSpelling(address))
  return entries.map((entry) => {
    const node = nodeOf(file, entry)
    const { name, kind, trader_id = traderId, takes_over: takesOver } = entry
    return { name, kind, traderId: trader_id, ...(node && { node }), ...(takesOver && { takesOver }) }
  })
}

function readJson(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (fault) {
    const before = text.slice(0, faultPosition(text, String(fault))).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw new StartRefusal(`BINNACLE_ENGINES: ${file} is not JSON at ${place}. Correct the file.`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault)
    throw new StartRefusal(`BINNACLE_ENGINES: ${file} cannot be read: ${reason}. Correct the file.`)
  }
}

/** The parser's own message may quote the text, which may have secrets; it then names no position. */
function faultPosition(text: string, message: string): number {
  const named = /at position (\d+)/.exec(message)
  if (named !== null) return Number(named[1])
  const isFaulty = (length: number) => {
    try {
      JSON.parse(text.slice(0, length))
      return false
    } catch (fault) {
      return String(fault).endsWith('is not valid JSON')
    }
  }
  let [good, faulty] = [0, text.length + 1]
  while (faulty - good > 1) {
    const middle = Math.floor((good + faulty) / 2)
    if (isFaulty(middle)) faulty = middle
    else good = middle
  }
  return faulty - 1
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

/** One text for all spellings of a node's address. */
function plainSpelling(address: string): string {
  return isAbsolute(address) ? resolve(address) : new URL(address.toLowerCase()).href.replace(/\/$/, '')
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
