import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Id } from '#shared.ts'

/** What closing everything finds at a venue now, and found there when it last began. */
export const EmergencyVenue = object(() => ({
  venue: z.string(),
  orders: z.int().describe('Working orders now'),
  positions: z.int().describe('Open positions now'),
  exposure: z.number().describe('Value of these positions at the current marks'),
  orders_at_start: z.int(),
  positions_at_start: z.int(),
  orders_left: z.int().describe('Orders not yet cancelled; once it ended, as they were then'),
  positions_left: z.int().describe('Positions not yet closed; once it ended, as they were then'),
})).meta({ id: 'EmergencyVenue' })
export type EmergencyVenue = z.output<typeof EmergencyVenue>

export const EmergencyPosition = object(() => ({
  id: Id,
  instrument: z.string(),
  strategy: z.string(),
  quantity: z.number().describe('Below zero for a short position'),
  obstacle: z.string().nullable().describe('Why it cannot be closed now'),
})).meta({ id: 'EmergencyPosition' })
export type EmergencyPosition = z.output<typeof EmergencyPosition>

/**
 * The emergency control that closes everything: reduce-only, strategies stopped, orders cancelled, positions closed,
 * then HALTED. What cannot be closed is tried again until it is or a person ends it.
 */
export const Emergency = object(() => ({
  is_active: z.boolean(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  outcome: z
    .enum(['flat', 'ended', 'halted'])
    .nullable()
    .describe('flat: all closed; ended or halted: by a person before that'),
  resumed_at: z
    .string()
    .nullable()
    .describe('When trading was resumed after it; from then on its report is past'),
  venues: z.array(EmergencyVenue),
  open: z.array(EmergencyPosition).describe('Positions that are open now'),
})).meta({ id: 'Emergency' })
export type Emergency = z.output<typeof Emergency>

export const emergency = {
  get: tradingEndpoint('GET /api/emergency', {
    summary: 'What closing everything would do, does or did',
    role: 'viewer',
    origin: { capability: 'emergency' },
    alwaysOn: true,
    reply: Emergency,
  }),
  start: tradingEndpoint('POST /api/emergency', {
    summary: 'Stop all strategies, cancel all orders, close all positions, then halt',
    role: 'risk',
    origin: { capability: 'emergency' },
    alwaysOn: true,
    body: strictObject(() => ({})),
    reply: Emergency,
  }),
  end: tradingEndpoint('POST /api/emergency/end', {
    summary: 'Stop closing positions; trading stays reduce-only',
    role: 'risk',
    origin: { capability: 'emergency' },
    alwaysOn: true,
    body: strictObject(() => ({})),
    reply: Emergency,
  }),
}
