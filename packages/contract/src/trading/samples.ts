import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'

/** Bounds of one request. */
export const SAMPLE_SERIES_MAX = 50
export const SAMPLE_POINTS_MAX = 2000

const Time = z.iso.datetime({ offset: true })

const SamplePoint = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('Start of the interval in seconds since 1970, last value, lowest, highest')
export type SamplePoint = z.output<typeof SamplePoint>

export const SampleSeries = object(() => ({
  name: z.string(),
  points: z.array(SamplePoint).describe('Oldest first. An interval without a sample is absent'),
  before: z
    .object({ at: z.number(), value: z.number() })
    .nullable()
    .describe('The last sample before the range; null without one'),
})).meta({ id: 'SampleSeries' })
export type SampleSeries = z.output<typeof SampleSeries>

/** What time charts mark. Kinds: active, reducing, halted, limits, restart, analytics, account; others may follow. */
export const SampleMark = object(() => ({ at: z.string(), kind: z.string(), text: z.string() })).meta({
  id: 'SampleMark',
})
export type SampleMark = z.output<typeof SampleMark>

export const Samples = object(() => ({
  from: z.string(),
  to: z.string(),
  step_s: z.number().describe('The length of an interval'),
  gap_s: z.number().describe('Points further apart than this have a gap between them'),
  series: z.array(SampleSeries),
  marks: z.array(SampleMark).describe('The latest 200 of the range, oldest first'),
})).meta({ id: 'Samples' })
export type Samples = z.output<typeof Samples>

export const samples = {
  read: tradingEndpoint('GET /api/samples', {
    summary:
      'Recorded figures over time: every second for a day, every minute for a year, every hour for ten years',
    role: 'viewer',
    origin: { capability: 'samples' },
    query: strictObject(() => ({
      series: z
        .string()
        .min(1)
        .max(4000)
        .describe(
          `Up to ${SAMPLE_SERIES_MAX} names with commas between them: equity, pnl.today, limit.exposure, strategy.S-1.pnl, …; paper.equity and so on for the paper account`,
        ),
      from: Time,
      to: Time.optional().describe('Exclusive; now unless given'),
      points: z.coerce
        .number<number>()
        .int()
        .min(2)
        .max(SAMPLE_POINTS_MAX)
        .default(500)
        .describe('At most this many per series; the server chooses the step'),
      resolution: z.coerce
        .number<number>()
        .pipe(z.literal([1, 60, 3600]))
        .optional()
        .describe('A step in seconds instead; refused if the range has more points than a reply can hold'),
    })),
    reply: Samples,
  }),
}
