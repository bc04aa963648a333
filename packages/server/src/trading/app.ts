import {
  type Capability,
  callsOf,
  type OpenApiDocument,
  printOpenApi,
  service,
  VERSION,
} from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'

/** CAP-10: a name stands here only when this server serves that capability's calls. */
const OFFERED: Capability[] = ['problems']

/** Adds the trading API to a listener's app. */
export function addTradingApp(app: FastifyInstance): void {
  let document: OpenApiDocument | undefined
  mount(app, service.health, () => ({ status: 'ok', version: VERSION }))
  mount(app, service.capabilities, () => ({ version: VERSION, capabilities: OFFERED }))
  mount(app, service.openapi, () => {
    document ??= printOpenApi()
    return document
  })
  mountUnbuilt(app, callsOf('trading'))
}
