import * as z from 'zod'
import type { OutboundRequest } from '#services/outbound/outbound.ts'

/** A route to test. */
export interface RouteTarget {
  method: string
  path: string
  /** JSON text of an object. */
  parameters: string
  serviceUrl: string
}

type RequestParts = Omit<OutboundRequest, 'maxBodyBytes'>

/** Builds the request of a route, or returns the reason why it cannot be built. */
export function requestOfRoute(route: RouteTarget): RequestParts | string {
  const parsed = Parameters.safeParse(JSON.parse(route.parameters))
  if (!parsed.success) return sentenceOf(parsed.error)
  const { path: values = {}, query = {}, headers = {}, body } = parsed.data
  const path = fillPath(route.path, new Map(Object.entries(values)))
  if (!path.ok) return path.sentence
  const search = new URLSearchParams(Object.entries(query).flatMap(searchPairs)).toString()
  const base = route.serviceUrl.replace(/\/+$/, '')
  return {
    method: route.method,
    url: `${base}${path.text}${search === '' ? '' : `?${search}`}`,
    headers: headersOf(headers, body),
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

const Scalar = z.union([z.string(), z.number(), z.boolean()], { error: 'must be a text, number or boolean' })

const Parameters = z.strictObject({
  path: z.record(z.string(), Scalar).optional(),
  query: z.record(z.string(), z.union([Scalar, z.array(Scalar)])).optional(),
  headers: z.record(z.string(), Scalar).optional(),
  body: z.json().optional(),
})

const SHAPE = 'Allowed are path, query and headers, each an object, and body.'

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === 'unrecognized_keys') {
    return `Unknown parameter '${issue.keys[0]}'. ${SHAPE}`
  }
  const message = issue?.message.replace(/^Invalid input: /, '')
  return `Invalid parameters: ${issue?.path.join('.')} ${message}. ${SHAPE}`
}

/** `{id}` anywhere, or `:id` as a whole path part. */
const PLACEHOLDER = /\{(\w+)\}|(?<=\/):(\w+)(?=\/|$)/g

type PathResult = { ok: true; text: string } | { ok: false; sentence: string }

function fillPath(path: string, values: ReadonlyMap<string, string | number | boolean>): PathResult {
  const names = [...path.matchAll(PLACEHOLDER)].map(nameIn)
  const missing = names.find((name) => String(values.get(name) ?? '') === '')
  if (missing !== undefined) {
    const example = JSON.stringify({ path: { [missing]: '…' } })
    return {
      ok: false,
      sentence: `The path needs a value for '${missing}'. Set the parameters to ${example}.`,
    }
  }
  const dots = names.find((name) => /^\.{1,2}$/.test(String(values.get(name))))
  if (dots !== undefined) {
    return { ok: false, sentence: `The value of '${dots}' is only dots, which would change the path.` }
  }
  const text = path.replace(PLACEHOLDER, (...match: string[]) =>
    encodeURIComponent(String(values.get(nameIn(match)))),
  )
  return { ok: true, text }
}

function nameIn([, braced, named]: readonly string[]): string {
  return braced ?? named ?? ''
}

function searchPairs([name, value]: [string, z.output<typeof Scalar> | z.output<typeof Scalar>[]]) {
  return [value].flat().map((item): [string, string] => [name, String(item)])
}

function headersOf(headers: Record<string, z.output<typeof Scalar>>, body: unknown): Record<string, string> {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return body === undefined ? named : { 'content-type': 'application/json', ...named }
}
