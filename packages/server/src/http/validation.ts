import type { EndpointSchemas, FieldFault, ParsedRequest } from '@binnacle/contract'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { faultWords } from './fault-words.ts'
import { Refused } from './problems.ts'

/** A call without a body takes none, or the empty object that some clients always send. */
const NoBody = z.strictObject({}).nullish()

/** Checks all parts of a request against its schemas and names every fault at once. */
export function parseRequest<E extends EndpointSchemas>(
  endpoint: E,
  request: FastifyRequest,
): ParsedRequest<E> | Refused {
  const params = endpoint.params?.safeParse(request.params)
  const query = endpoint.query?.safeParse(request.query)
  const body = (endpoint.body ?? NoBody).safeParse(request.body)
  const errors = [
    ...faultsOf('path', params?.error),
    ...faultsOf('query', query?.error),
    ...faultsOf('body', body.error),
  ]
  if (errors.length > 0) return invalidFields(errors)
  const parsed = { params: params?.data, query: query?.data, body: endpoint.body && body.data }
  // The schemas have just made it so; their types are lost in the generic endpoint.
  return parsed as ParsedRequest<E>
}

/** Refuses a request for its fields; each message goes on where the field's name ends: `must be at least 0`. */
export function invalidFields(errors: readonly FieldFault[]): Refused {
  return new Refused('request.invalid', sentenceOf(errors), listOf(errors))
}

/** A reply must not grow with what was wrongly sent: the first ones, and how many there are besides. */
function listOf(errors: readonly FieldFault[]): FieldFault[] {
  const listed = errors.slice(0, LISTED_AT_MOST)
  const others = errors.length - listed.length
  if (others > 0)
    listed.push({ field: 'request', message: `has ${others} more faults, which are not listed` })
  return listed
}

const LISTED_AT_MOST = 100
/** Of a field's whole name, which is as long as whoever sent it pleased. */
const NAME_AT_MOST = 200

function faultsOf(part: string, error: z.ZodError | undefined): FieldFault[] {
  return (error?.issues ?? []).flatMap((issue) => faultsIn(part, issue))
}

function faultsIn(place: string, issue: z.core.$ZodIssue): FieldFault[] {
  const field = shortened([place, ...issue.path].join('.'))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: shortened(`${field}.${key}`), message: 'is not a known field' }))
  }
  const nearest = issue.code === 'invalid_union' ? nearestArm(field, issue.errors) : []
  return nearest.length > 0 ? nearest : [{ field, message: faultWords(issue) }]
}

function shortened(name: string): string {
  return name.length > NAME_AT_MOST ? `${name.slice(0, NAME_AT_MOST)}…` : name
}

/** Of several shapes that a value may have, the one it misses least, if that names the fields it misses. */
function nearestArm(field: string, arms: readonly z.core.$ZodIssue[][]): FieldFault[] {
  const faults = arms.map((issues) => issues.flatMap((issue) => faultsIn(field, issue)))
  const [nearest = []] = faults.toSorted((left, right) => left.length - right.length)
  return nearest.every((fault) => fault.field !== field) ? nearest : []
}

/** All of it in one sentence for the person at the screen; how a program calls the fields is in `errors`. */
function sentenceOf(errors: readonly FieldFault[]): string {
  const told = errors.slice(0, TOLD_AT_MOST).map(({ field, message }) => `${labelOf(field)} ${message}`)
  const others = errors.length > TOLD_AT_MOST ? `; and ${errors.length - TOLD_AT_MOST} more` : ''
  return `${told.join('; ')}${others}.`
}

const TOLD_AT_MOST = 5

/** As forms write it: body.max_order_size is Max Order Size. Which part of a request it came in is no word of a form. */
function labelOf(field: string): string {
  const name = field
    .split('.')
    .slice(1)
    .findLast((part) => !/^\d+$/.test(part))
  if (name === undefined) return 'The request'
  return name.replaceAll(/(^|_)([a-z])/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase())
}
