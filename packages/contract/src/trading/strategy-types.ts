import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object } from '#object.ts'
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

/** A parameter of a strategy type. Its kind decides which bounds it has. */
export const StrategyParameter = object(() => ({
  name: z.string(),
  label: z.string().optional().describe('The name in words'),
  kind: z.enum(PARAMETER_KINDS),
  sentence: z.string().describe('Description'),
  default: z.unknown(),
  min: z.number().optional().describe('Smallest number, or smallest count of instruments'),
  max: z.number().optional(),
  max_length: z.number().optional(),
  choices: z.array(z.string()).optional(),
  allowed: z
    .array(z.string())
    .optional()
    .describe('Values of an interval, an instrument or one of instruments'),
})).meta({ id: 'StrategyParameter' })
export type StrategyParameter = z.output<typeof StrategyParameter>

/** A strategy type with its description and parameters. */
export const StrategyType = object(() => ({
  type: z.string(),
  title: z.string(),
  about: z.string(),
  earns_when: z.string(),
  loses_when: z.string(),
  parameters: z.array(StrategyParameter),
})).meta({ id: 'StrategyType' })
export type StrategyType = z.output<typeof StrategyType>

export const strategyTypes = {
  list: tradingEndpoint('GET /api/strategy-types', {
    summary: 'Strategy types with their parameters',
    role: 'viewer',
    origin: { capability: 'strategy-types' },
    reply: listOf('strategy_types', StrategyType),
  }),
}
