import type { EndpointSchemas, FieldFault, ParsedRequest } from '@binnacle/contract'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { describeIssue } from './describe-issue.ts'
import { Refused } from './problems.ts'

/** A call without a body also accepts the empty object, which some clients always send. */
const NoBody = z.strictObject({}).nullish()

/** Validates path, query and body and reports all faults together. */
export function parseRequest<E extends EndpointSchemas>(
  endpoint: E,
  request: FastifyRequest,
): ParsedRequest<E> | Refused {
  const params = endpoint.params?.safeParse(request.params)
  const query = endpoint.query?.safeParse(request.query)
  const body = (endpoint.body ?? NoBody).safeParse(request.body)
  if (params?.error || query?.error || body.error) {
    return invalidFields([
      ...faultsOf('path', params?.error),
      ...faultsOf('query', query?.error),
      ...faultsOf('body', body.error),
    ])
  }
  const parsed = { params: params?.data, query: query?.data, body: endpoint.body && body.data }
  // The schemas have produced these values; the generic endpoint loses their types.
  return parsed as ParsedRequest<E>
}

/** Refuses a request because of its fields; each message continues the field's name: `must be at least 0`. */
export function invalidFields(errors: readonly FieldFault[]): Refused {
  return new Refused('request.invalid', sentenceOf(errors), limitErrors(errors))
}

/** Limits the size of the reply: lists the first errors and counts the others. */
function limitErrors(errors: readonly FieldFault[]): FieldFault[] {
  const listed = errors.slice(0, MAX_LISTED_ERRORS)
  const others = errors.length - listed.length
  if (others > 0)
    listed.push({ field: 'request', message: `has ${others} more errors, which are not listed` })
  return listed
}

const MAX_LISTED_ERRORS = 100
/** Limits a field's name, which the client chooses. */
const MAX_FIELD_CHARS = 200

function faultsOf(part: string, error: z.ZodError | undefined): FieldFault[] {
  return (error?.issues ?? []).flatMap((issue) => faultsIn(part, issue))
}

function faultsIn(part: string, issue: z.core.$ZodIssue): FieldFault[] {
  const field = shorten([part, ...issue.path].join('.'))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: shorten(`${field}.${key}`), message: 'is not a known field' }))
  }
  const closest = issue.code === 'invalid_union' ? closestVariant(field, issue.errors) : []
  return closest.length > 0 ? closest : [{ field, message: describeIssue(issue) }]
}

function shorten(name: string): string {
  return name.length > MAX_FIELD_CHARS ? `${name.slice(0, MAX_FIELD_CHARS)}…` : name
}

/** Returns the errors of the union variant with the fewest, if all of them are about fields inside the value. */
function closestVariant(field: string, variants: readonly z.core.$ZodIssue[][]): FieldFault[] {
  const faults = variants.map((issues) => issues.flatMap((issue) => faultsIn(field, issue)))
  const [closest = []] = faults.toSorted((left, right) => left.length - right.length)
  return closest.every((fault) => fault.field !== field) ? closest : []
}

/** One sentence for the user; `errors` has the field names for programs. */
function sentenceOf(errors: readonly FieldFault[]): string {
  const messages = errors
    .slice(0, MAX_SENTENCE_ERRORS)
    .map(({ field, message }) => `${labelOf(field)} ${message}`)
  const others =
    errors.length > MAX_SENTENCE_ERRORS ? `; and ${errors.length - MAX_SENTENCE_ERRORS} more` : ''
  return `${messages.join('; ')}${others}.`
}

const MAX_SENTENCE_ERRORS = 5

const ACRONYMS: ReadonlySet<string> = new Set(['api', 'id', 'sms', 'smtp', 'sql', 'tls', 'ttl', 'url'])

/** Returns a form label: body.max_order_size becomes Max Order Size, body.values.cache_ttl Cache TTL. */
function labelOf(field: string): string {
  const name = field
    .split('.')
    .slice(1)
    .findLast((part) => !/^\d+$/.test(part))
  if (name === undefined) return 'The request'
  return name.split('_').map(capitalize).join(' ')
}

function capitalize(word: string): string {
  return ACRONYMS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
}
