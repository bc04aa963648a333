import type * as z from 'zod'
import type { Capability } from './capability.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
export type Method = (typeof METHODS)[number]

/** The three APIs, each with its own port. */
export const APPS = ['trading', 'admin', 'database'] as const
export type App = (typeof APPS)[number]

/** Requests with the same key are the same command, even after a restart. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** On every reply of the API: the id of the request in the log and in the audit record. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Roles, each including those before it. 'anyone' needs no account. */
export const ROLES = ['viewer', 'trader', 'risk', 'admin'] as const
export type Role = (typeof ROLES)[number]
export type RequiredRole = 'anyone' | Role

/**
 * Why a call exists: the console uses it by specification, the specification only documents it, it is an
 * extension that belongs to a capability, or it is an extension of every Binnacle server ('ours').
 */
export type Origin = 'specified' | 'documented' | 'ours' | { capability: Capability }

export type Signature = `${Method} /${string}`

export interface EndpointSchemas {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  reply: z.ZodType
}

export interface EndpointOptions extends EndpointSchemas {
  summary: string
  role: RequiredRole
  origin?: Origin
  /** The status of a success, 200 unless something was created or accepted. */
  status?: 200 | 201 | 202
  /** The call may also be answered 202: the request was accepted and its outcome is not known yet. */
  mayBeUnconfirmed?: boolean
  /** The call accepts an Idempotency-Key: a repeat is answered with the first result and does nothing. */
  acceptsKey?: boolean
  /** A read sends its version as ETag; a change with an If-Match of another version is refused with 412. */
  isVersioned?: boolean
  /** The body is a file of this media type instead of JSON; there is then no body schema. */
  consumes?: 'application/octet-stream'
  /** The media types of a reply that is a file instead of JSON; its schema is then a string. */
  produces?: readonly string[]
  /** Calls that reduce risk (cancel, close, halt) can never be switched off by a route toggle. */
  alwaysOn?: boolean
}

export type Endpoint<Options extends EndpointOptions = EndpointOptions> = Readonly<
  Options & {
    /** The API that serves the call; 'every' for what all three listeners answer. */
    app: App | 'every'
    method: Method
    path: string
    origin: Origin
    status: 200 | 201 | 202
    alwaysOn: boolean
  }
>

/** Declare one call of an API. Server, client, OpenAPI and the docs page all read this value. */
export const tradingEndpoint = endpointOf('trading')
export const adminEndpoint = endpointOf('admin')
export const databaseEndpoint = endpointOf('database')
export const sharedEndpoint = endpointOf('every')

function endpointOf(app: App | 'every') {
  return <const Options extends EndpointOptions>(
    signature: Signature,
    options: Options,
  ): Endpoint<Options> => {
    const space = signature.indexOf(' ')
    return {
      origin: 'specified',
      status: 200,
      alwaysOn: false,
      ...options,
      app,
      // The template type of Signature guarantees a known method before the space.
      method: signature.slice(0, space) as Method,
      path: signature.slice(space + 1),
    }
  }
}

type SchemaOf<E, Key extends keyof EndpointSchemas> = E extends { [K in Key]: infer S extends z.ZodType }
  ? S
  : undefined

type InputPart<E, Key extends 'params' | 'query' | 'body'> =
  SchemaOf<E, Key> extends z.ZodType
    ? IsOptional<Key, z.input<SchemaOf<E, Key>>> extends true
      ? { [K in Key]?: z.input<SchemaOf<E, Key>> }
      : { [K in Key]: z.input<SchemaOf<E, Key>> }
    : { [K in Key]?: undefined }

/** True for a body that allows undefined and for a query whose fields are all optional. */
type IsOptional<Key, Input> = undefined extends Input
  ? true
  : Key extends 'query'
    ? Record<never, never> extends Input
      ? true
      : false
    : false

type ParsedPart<E, Key extends 'params' | 'query' | 'body'> =
  SchemaOf<E, Key> extends z.ZodType ? z.output<SchemaOf<E, Key>> : undefined

/** The arguments of a call, as a client passes them. */
export type RequestOf<E> = InputPart<E, 'params'> & InputPart<E, 'query'> & InputPart<E, 'body'>

/** A validated request, as a handler receives it. */
export interface ParsedRequest<E> {
  params: ParsedPart<E, 'params'>
  query: ParsedPart<E, 'query'>
  body: ParsedPart<E, 'body'>
}

/** Any declared call, for code that works on all of them. */
export type AnyEndpoint = Endpoint

/** A parsed reply, as a client receives it. */
export type ReplyOf<E extends EndpointSchemas> = z.output<E['reply']>

/** A reply as the server sends it. Reply schemas parse only; they cannot encode. */
export type ReplyInputOf<E extends EndpointSchemas> = z.input<E['reply']>
