import * as z from 'zod'
import { object } from '#object.ts'
import { ifGiven, isRecord } from './shared.ts'

/** An OK status means healthy, whatever the body is (API-8). */
export const Health = z
  .preprocess(
    (reply: { status?: string | undefined; version?: string | undefined }) => (isRecord(reply) ? reply : {}),
    object(() => ({ status: ifGiven(z.string()), version: ifGiven(z.string()) })),
  )
  .meta({ id: 'Health' })
export type Health = z.output<typeof Health>
