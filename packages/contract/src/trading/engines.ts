import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object } from '#object.ts'

/** Names the engine that a call of the trading API acts on; without it, the first one. */
export const ENGINE_HEADER = 'binnacle-engine'

/** The same in the address of the stream: a browser cannot send headers with it. */
export const ENGINE_PARAMETER = 'engine'

export const EngineEntry = object(() => ({
  name: z.string().describe('For the header Binnacle-Engine'),
  kind: z.string().describe("'embedded' or 'nautilus'"),
  is_default: z.boolean().describe('Whether calls without a name act on it'),
  mode: z.enum(['simulated', 'paper', 'live']).nullable().describe('null while it was never reached'),
  state: z
    .string()
    .describe("As the status in GET /api/engine/info; 'starting' or 'unreachable' before it is reached"),
  reason: z.string().nullable().describe('Why it accepts no commands'),
  trading_state: z.string().nullable(),
  age_s: z.number().nullable().describe('Seconds since the engine last reported anything'),
})).meta({ id: 'EngineEntry' })
export type EngineEntry = z.output<typeof EngineEntry>

export const engines = {
  list: tradingEndpoint('GET /api/engines', {
    summary: 'The engines of this server, the default one first',
    role: 'viewer',
    origin: { capability: 'engines' },
    // An emergency over all of them begins with this list.
    alwaysOn: true,
    reply: object(() => ({ engines: z.array(EngineEntry) })),
  }),
}
