import type * as z from 'zod'
import type { Capability } from './capability.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
export type Method = (typeof METHODS)[number]

/** Who may call: 'anyone' needs no account; the others are the four roles, each including those before it. */
export const ROLES = ['viewer', 'trader', 'risk', 'admin'] as const
export type Role = (typeof ROLES)[number]
export type RequiredRole = 'anyone' | Role

/**
 * Why a call exists: the console makes it by specification, the specification only documents it,
 * it goes past the specification and belongs to a capability, or it is ours on every server of ours,
 * such as the question for the capabilities themselves.
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
  /** The media types of a reply that is a file and no JSON; its schema is then a text. */
  produces?: readonly string[]
  /** Acts that undo harm (cancel, close, halt) can never be switched off by a route toggle. */
  alwaysOn?: boolean
}

export type Endpoint<Options extends EndpointOptions = EndpointOptions> = Readonly<
  Options & {
    method: Method
    path: string
    origin: Origin
    status: 200 | 201 | 202
    alwaysOn: boolean
  }
>

/** Declares one call; server, client, OpenAPI and the docs page all read this value. */
export function endpoint<const Options extends EndpointOptions>(
  signature: Signature,
  options: Options,
): Endpoint<Options> {
  const space = signature.indexOf(' ')
  return {
    origin: 'specified',
    status: 200,
    alwaysOn: false,
    ...options,
    // The template type of Signature guarantees a known method before the space.
    method: signature.slice(0, space) as Method,
    path: signature.slice(space + 1),
  }
}

type SchemaOf<E, Key extends keyof EndpointSchemas> = E extends { [K in Key]: infer S extends z.ZodType }
  ? S
  : undefined

type InputPart<E, Key extends 'params' | 'query' | 'body'> =
  SchemaOf<E, Key> extends z.ZodType
    ? MayBeLeftOut<Key, z.input<SchemaOf<E, Key>>> extends true
      ? { [K in Key]?: z.input<SchemaOf<E, Key>> }
      : { [K in Key]: z.input<SchemaOf<E, Key>> }
    : { [K in Key]?: undefined }

/** A body that allows undefined, and a query none of whose fields is needed. */
type MayBeLeftOut<Key, Input> = undefined extends Input
  ? true
  : Key extends 'query'
    ? Record<never, never> extends Input
      ? true
      : false
    : false

type ParsedPart<E, Key extends 'params' | 'query' | 'body'> =
  SchemaOf<E, Key> extends z.ZodType ? z.output<SchemaOf<E, Key>> : undefined

/** What a caller hands over. */
export type RequestOf<E> = InputPart<E, 'params'> & InputPart<E, 'query'> & InputPart<E, 'body'>

/** What a handler receives, validated. */
export interface ParsedRequest<E> {
  params: ParsedPart<E, 'params'>
  query: ParsedPart<E, 'query'>
  body: ParsedPart<E, 'body'>
}

/** Any declared call, for code that works on all of them. */
export type AnyEndpoint = Endpoint

/** What a caller gets, made uniform. */
export type ReplyOf<E extends EndpointSchemas> = z.output<E['reply']>

/** What our own server sends. Replies are understood in one direction only: parse them, never encode. */
export type ReplyInputOf<E extends EndpointSchemas> = z.input<E['reply']>
