import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { Health } from '#health.ts'
import { object } from '#object.ts'

/** Names are an open set: a newer server may have capabilities unknown to this console. */
export const Capabilities = object(() => ({
  version: z.string().optional(),
  capabilities: z.array(z.string()),
})).meta({ id: 'Capabilities' })
export type Capabilities = z.output<typeof Capabilities>

export const service = {
  health: tradingEndpoint('GET /health', {
    summary: 'Health of the trading API',
    role: 'anyone',
    alwaysOn: true,
    reply: Health,
  }),
  capabilities: tradingEndpoint('GET /api/capabilities', {
    summary: 'What this backend supports beyond the specified calls',
    role: 'anyone',
    origin: 'ours',
    alwaysOn: true,
    reply: Capabilities,
  }),
}
