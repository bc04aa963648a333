import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Health } from '#health.ts'

/** Names are an open set: a newer server may know capabilities that this console does not. */
export const Capabilities = z
  .object({ version: z.string().optional(), capabilities: z.array(z.string()) })
  .meta({ id: 'Capabilities' })
export type Capabilities = z.output<typeof Capabilities>

export const service = {
  health: endpoint('GET /health', {
    summary: 'Whether the trading API is up',
    role: 'anyone',
    alwaysOn: true,
    reply: Health,
  }),
  capabilities: endpoint('GET /api/capabilities', {
    summary: 'What this backend does beyond the specified calls',
    role: 'anyone',
    origin: 'ours',
    alwaysOn: true,
    reply: Capabilities,
  }),
  openapi: endpoint('GET /api/openapi.json', {
    summary: 'This contract as an OpenAPI 3.1 document',
    role: 'anyone',
    origin: 'ours',
    reply: z.looseObject({ openapi: z.string() }),
  }),
}
