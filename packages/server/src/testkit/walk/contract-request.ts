import type { Endpoint } from '@binnacle/contract'
import type { InjectOptions } from 'fastify'
import type { Sample } from './admin-samples.ts'

/** A call of the contract as a request to an app without sockets. */
export function requestOf(
  { method, path }: Endpoint,
  { params = {}, query = {}, body }: Sample,
): InjectOptions {
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return {
    method,
    url: search === '' ? url : `${url}?${search}`,
    ...(body !== undefined && {
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  }
}
