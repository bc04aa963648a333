import {
  RESOLUTIONS_S,
  RETENTION_S,
  type Resolution,
  type SampleRange,
} from '#storage/samples/samples-store.ts'

export interface StepRequest {
  from: number
  to: number
  now: number
  /** The step is chosen so that a series has at most this many. */
  points: number
  /** The step itself, if the caller chose it. */
  resolution?: Resolution | undefined
}

export type Step = Pick<SampleRange, 'resolutionS' | 'stepS'>

/** The lengths of an interval that a chart reads well, in seconds. */
const STEPS_S = [1, 2, 5, 10, 15, 30]
  .flatMap((count) => [count, count * 60])
  .concat([1, 2, 3, 4, 6, 8, 12, 24, 48, 168, 336].map((hours) => hours * 3600))
  .toSorted((one, other) => one - other)

/** The longest range of a resolution; it bounds the rows that one reply reads. */
const MAX_RANGE_S: Readonly<Record<Resolution, number>> = { 1: 3600, 60: 60 * 86_400, 3600: Infinity }

/** Chooses the finest step that fits, and the stored resolution it is computed from. */
export function chooseStep({ from, to, now, points, resolution }: StepRequest): Step {
  if (resolution !== undefined) return { resolutionS: resolution, stepS: resolution }
  const finest =
    RESOLUTIONS_S.find((each) => from >= now - RETENTION_S[each] && to - from <= MAX_RANGE_S[each]) ?? 3600
  // Intervals begin at multiples of the step, so a range may touch one more.
  const needed = (to - from) / (points - 1)
  const stepS = STEPS_S.find((each) => each >= finest && each >= needed) ?? Math.ceil(needed / 3600) * 3600
  const resolutionS = RESOLUTIONS_S.findLast((each) => stepS % each === 0) ?? 1
  return { resolutionS, stepS }
}

/** A late second is no gap; from the minute on, every interval without a sample is one. */
export function gapOf({ stepS }: Step): number {
  return Math.max(stepS, 5)
}
