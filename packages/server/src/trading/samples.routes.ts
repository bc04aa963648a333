import {
  type FieldFault,
  SAMPLE_POINTS_MAX,
  SAMPLE_SERIES_MAX,
  type SamplePoint,
  samples,
} from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { invalidFields } from '#http/validation.ts'
import { chooseStep, gapOf } from '#services/samples/choose-step.ts'
import type { Samples } from '#storage/samples/samples.ts'
import type { SamplePoint as StoredPoint } from '#storage/samples/samples-store.ts'
import { decimalToWire } from './decimal.wire.ts'

const MAX_MARKS = 200

export function addSampleRoutes(app: FastifyInstance, stored: Samples): void {
  mount(app, samples.read, async ({ query }) => {
    const now = Math.ceil(Date.now() / 1000)
    const from = Math.floor(Date.parse(query.from) / 1000)
    const to = query.to === undefined ? now : Math.ceil(Date.parse(query.to) / 1000)
    const names = [...new Set(query.series.split(','))]
    const faults = [...rangeFaults(from, to, query.resolution), ...nameFaults(names)]
    if (faults.length > 0) return invalidFields(faults)
    const step = chooseStep({ from, to, now, points: query.points, resolution: query.resolution })
    const range = { from, to, ...step }
    const { points, before, marks } = await stored.query({ series: names, range, maxMarks: MAX_MARKS })
    return {
      from: new Date(from * 1000).toISOString(),
      to: new Date(to * 1000).toISOString(),
      step_s: step.stepS,
      gap_s: gapOf(step),
      series: names.map((name) => ({
        name,
        points: (points.get(name) ?? []).map(pointToWire),
        before: before.get(name) ?? null,
      })),
      marks: marks.map(({ atMs, kind, text }) => ({ at: new Date(atMs).toISOString(), kind, text })),
    }
  })
}

function pointToWire({ at, last, low, high }: StoredPoint): SamplePoint {
  return [at, decimalToWire(last), decimalToWire(low), decimalToWire(high)]
}

function rangeFaults(from: number, to: number, resolution: number | undefined): FieldFault[] {
  if (from >= to) return [{ field: 'query.from', message: 'must be before the end of the range' }]
  const points = resolution === undefined ? 0 : Math.ceil((to - from) / resolution)
  return points <= SAMPLE_POINTS_MAX
    ? []
    : [
        {
          field: 'query.resolution',
          message: `would give ${points} points; a reply holds ${SAMPLE_POINTS_MAX}. Ask for a shorter range or a coarser resolution`,
        },
      ]
}

function nameFaults(names: readonly string[]): FieldFault[] {
  return names.length <= SAMPLE_SERIES_MAX
    ? []
    : [
        {
          field: 'query.series',
          message: `has ${names.length} names; at most ${SAMPLE_SERIES_MAX} are allowed`,
        },
      ]
}
