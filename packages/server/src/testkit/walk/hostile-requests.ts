import type { Endpoint } from '@binnacle/contract'
import { countOf } from '@binnacle/stores/testkit'
import * as z from 'zod'
import type { Sample } from './admin-samples.ts'

/** One thing wrong, or odd, about an otherwise good request. */
export interface Hostile {
  what: string
  /** The field that is meddled with, as a problem would name it. */
  field: string
  /** Whether no call can accept it; odd text may be as good as any. */
  isWrong: boolean
  meddle: (good: Sample) => Sample
}

const WRONG_TYPES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  [],
  {},
  ['a'],
  { toString: 'x' },
  '',
  ' ',
  'x',
  '0',
  '1',
]

const ODD_TEXTS: readonly string[] = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202eevil',
  '\u0007',
  'مرحبا',
  '👨‍👩‍👧‍👦',
  '\u2028',
  '\ufeff',
  'x'.repeat(100_000),
  '🧭'.repeat(70_000),
  "'; DROP TABLE users; --",
  '" OR 1=1 --',
  "x'||(SELECT password_hash FROM users)||'",
  '%27%3B',
  '{"$ne":null}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '=1+1',
  '<script>alert(1)</script>',
  '{{7*7}}',
]

/**
 * Every field of the contract's request, meddled with in every way; the rest of the request stays good. The sample takes
 * every third, which is another one in the next field: fields have 38 or 20 each.
 */
export function hostileRequests(endpoint: Endpoint): Hostile[] {
  return allHostileRequests(endpoint).filter((_, nth) => nth % 3 < countOf('hostileRequestsInThree'))
}

function allHostileRequests(endpoint: Endpoint): Hostile[] {
  return [
    ...(endpoint.method === 'GET'
      ? []
      : [meddleWith('body', 'unasked_for', 1, true), ...WHOLE_BODIES.map(wholeBody)]),
    ...fieldsOf(endpoint.body).flatMap(inBody),
    ...fieldsOf(endpoint.query).flatMap(inQuery),
    ...(endpoint.query === undefined ? [] : [meddleWith('query', 'unasked_for', '1', true)]),
    ...fieldsOf(endpoint.params).flatMap(inPath),
  ]
}

/** Ids that no row can have. */
const UNKNOWN_IDS: readonly string[] = [
  '0',
  '-1',
  '987654',
  '1.0',
  '1e0',
  '01',
  '+1',
  ' 1',
  '99999999999999999999',
  '١',
  'nope',
  'admin.nope.list',
  'trading.',
  '__proto__',
  '\0',
  '%00',
  '../1',
  "1' OR '1'='1",
  '1; DROP TABLE users',
  'x'.repeat(2000),
]

const WHOLE_BODIES: readonly unknown[] = [[], [{}], 'x', 7, true]

function wholeBody(body: unknown): Hostile {
  return {
    what: `a body of ${shown(body)}`,
    field: 'body',
    isWrong: true,
    // Sent as it is, whatever a sample says.
    meddle: (good) => ({ ...good, body: body as Record<string, unknown> }),
  }
}

function inBody(name: string): Hostile[] {
  const values = [...WRONG_TYPES, ...ODD_TEXTS].map((value) =>
    meddleWith('body', name, value, isHopeless(value)),
  )
  return [meddleWith('body', name, undefined, false), ...values]
}

function inQuery(name: string): Hostile[] {
  const short = ODD_TEXTS.filter((text) => text.length < 1000)
  return [...short, '', '-1', '1e9', 'NaN', '0x1'].map((value) => meddleWith('query', name, value, false))
}

function inPath(name: string): Hostile[] {
  return UNKNOWN_IDS.map((id) => meddleWith('params', name, id, true))
}

/** No field of a request is a list or an object, or as long as that. */
function isHopeless(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || (typeof value === 'string' && value.length > 50_000)
}

function meddleWith(part: keyof Sample, name: string, value: unknown, isWrong: boolean): Hostile {
  const place = part === 'params' ? 'path' : part
  return {
    what: `${name} ${shown(value)} in the ${place}`,
    field: `${place}.${name}`,
    isWrong,
    meddle: (good) => ({ ...good, [part]: { ...good[part], [name]: value } }),
  }
}

/** Every field that some shape of the request has. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  const names = new Set<string>()
  collectNames(z.toJSONSchema(schema, { io: 'input' }), names)
  return [...names]
}

function collectNames(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  if ('properties' in node) for (const name of Object.keys(Object(node.properties))) names.add(name)
  for (const inner of Object.values(node)) collectNames(inner, names)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'left out'
  return text.length > 60 ? `${text.slice(0, 20)}… (${text.length} characters)` : text
}
