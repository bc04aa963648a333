import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase, FieldDef } from 'pg'
import { parseArray } from './array-text.ts'

type Decode = (text: string) => unknown

interface ValueType {
  name: string
  decode: Decode
  /** The type of an array's items. */
  item?: number | undefined
}

/** Types by OID. */
export type ValueTypes = ReadonlyMap<number, ValueType>

/** All values arrive as text and are decoded here without loss. */
export const AS_TEXT = { getTypeParser: () => (text: string) => text }

/** A type created meanwhile may be shown as unknown for this long. */
const CATALOGUE_CACHE_MS = 60_000

/** Caches the type catalogue. */
export function cacheValueTypes(): (client: ClientBase) => Promise<ValueTypes> {
  let known: { types: ValueTypes; readAt: number } | undefined
  return async (client) => {
    if (known === undefined || performance.now() - known.readAt > CATALOGUE_CACHE_MS) {
      known = { types: await loadValueTypes(client), readAt: performance.now() }
    }
    return known.types
  }
}

async function loadValueTypes(client: ClientBase): Promise<ValueTypes> {
  const { rows } = await client.query<{ oid: number; name: string; item: number; isArray: boolean }>(TYPES)
  return new Map(
    rows.map(({ oid, name, item, isArray }) => {
      const decodeItem = DECODERS[item] ?? asText
      const decode = isArray ? (text: string) => parseArray(text, decodeItem) : (DECODERS[oid] ?? asText)
      return [oid, { name, decode, item: isArray ? item : undefined }]
    }),
  )
}

/** Names, types and decoders of the columns. A type missing in the cache is decoded as text. */
export function columnsOf(
  fields: readonly FieldDef[],
  types: ValueTypes,
): (ResultColumn & { decode: Decode })[] {
  return fields.map(({ name, dataTypeID }) => {
    const type = types.get(dataTypeID) ?? { name: 'unknown', decode: asText }
    return { name, type: type.name, decode: type.decode }
  })
}

const TYPES = `
  SELECT oid, pg_catalog.format_type(oid, NULL) AS name, typelem AS item, typcategory = 'A' AS "isArray"
  FROM pg_catalog.pg_type WHERE typtype <> 'c' AND typisdefined`

const asText: Decode = (text) => text

const DECODERS: Readonly<Record<number, Decode>> = {
  16: (text) => text === 't',
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: BigInt,
  21: Number,
  23: Number,
  26: Number,
  114: parseJson,
  700: Number,
  701: Number,
  1114: isoTime,
  1184: isoTimeWithZone,
  3802: parseJson,
}

/** Converts `2026-11-15 05:00:00.123456+00` with all digits. Infinity and five-digit years stay unchanged. */
export function isoTime(text: string): string {
  return /^\d{4}-\d\d-\d\d \d/.test(text) && !text.endsWith('BC') ? text.replace(' ', 'T') : text
}

/** Sessions run in UTC. */
export function isoTimeWithZone(text: string): string {
  const iso = isoTime(text)
  return iso === text ? text : iso.replace(/\+00$/, 'Z')
}

/** Parses JSON; integers that JavaScript would round become text. */
function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const isRounded =
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    return isRounded ? context?.source : value
  })
}
