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
  return new Refused('request.invalid', sentenceOf(errors), [...errors])
}

function faultsOf(part: string, error: z.ZodError | undefined): FieldFault[] {
  return (error?.issues ?? []).flatMap((issue) => faultsIn(part, issue))
}

function faultsIn(place: string, issue: z.core.$ZodIssue): FieldFault[] {
  const field = [place, ...issue.path].join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: `${field}.${key}`, message: 'is not a known field' }))
  }
  const nearest = issue.code === 'invalid_union' ? nearestArm(field, issue.errors) : []
  return nearest.length > 0 ? nearest : [{ field, message: faultWords(issue) }]
}

/** Of several shapes that a value may have, the one it misses least, if that names the fields it misses. */
function nearestArm(field: string, arms: readonly z.core.$ZodIssue[][]): FieldFault[] {
  const faults = arms.map((issues) => issues.flatMap((issue) => faultsIn(field, issue)))
  const [nearest = []] = faults.toSorted((left, right) => left.length - right.length)
  return nearest.every((fault) => fault.field !== field) ? nearest : []
}

/** All of it in one sentence; a form has no part that is called body or query. */
function sentenceOf(errors: readonly FieldFault[]): string {
  const told = errors.slice(0, TOLD_AT_MOST).map(({ field, message }) => `${nameOf(field)} ${message}`)
  const others = errors.length > TOLD_AT_MOST ? `; ${errors.length - TOLD_AT_MOST} more are in errors` : ''
  return `${told.join('; ')}${others}. Correct it and send the request again.`
}

const TOLD_AT_MOST = 5

function nameOf(field: string): string {
  return field === 'body' ? 'the body' : field.replace(/^(body|query)\./, '')
}
