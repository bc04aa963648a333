import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { listOf } from '#shared.ts'

export const PARAMETER_KINDS = [
  'number',
  'integer',
  'text',
  'choice',
  'interval',
  'instrument',
  'instruments',
  'json',
] as const

/** Something that can be set on a kind of strategy: its kind says which of the bounds it has. */
export const StrategyParameter = z
  .object({
    name: z.string(),
    kind: z.enum(PARAMETER_KINDS),
    sentence: z.string().describe('What it means'),
    default: z.unknown(),
    min: z.number().optional().describe('The least number, or the fewest instruments'),
    max: z.number().optional(),
    max_length: z.number().optional(),
    choices: z.array(z.string()).optional(),
  })
  .meta({ id: 'StrategyParameter' })
export type StrategyParameter = z.output<typeof StrategyParameter>

/** A kind of strategy with all that there is to know before one is added. */
export const StrategyType = z
  .object({
    type: z.string(),
    title: z.string(),
    about: z.string(),
    earns_when: z.string(),
    loses_when: z.string(),
    parameters: z.array(StrategyParameter),
  })
  .meta({ id: 'StrategyType' })
export type StrategyType = z.output<typeof StrategyType>

export const strategyTypes = {
  list: endpoint('GET /api/strategy-types', {
    summary: 'The kinds of strategy, and what can be set on each',
    role: 'viewer',
    origin: { capability: 'strategy-types' },
    reply: listOf('strategy_types', StrategyType),
  }),
}
