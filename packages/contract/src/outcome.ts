import * as z from 'zod'
import { object } from '#object.ts'
import { ifGiven, isRecord } from './shared.ts'

/** The success case of a reply that may say `success: false` inside a 200. */
export const Succeeded = object(() => ({ success: z.literal(true), message: ifGiven(z.string()) })).meta({
  id: 'Succeeded',
})
export type Succeeded = z.output<typeof Succeeded>

/** The failure case. The Binnacle server answers most refusals with a problem document instead (CALL-5). */
export const Failed = object(() => ({
  success: z.literal(false),
  error: ifGiven(z.string()),
  message: ifGiven(z.string()),
})).meta({ id: 'Failed' })
export type Failed = z.output<typeof Failed>

type SuccessSchema = z.ZodObject<{ success: z.ZodLiteral<true> }>
type FailureSchema = z.ZodObject<{ success: z.ZodLiteral<false> }>

/** The reply of a change: only an explicit `success: false` is a failure (CLIENT-4). */
export function successUnlessFalse<Success extends SuccessSchema>(success: Success) {
  return unionOn(success, Failed, (flag) => flag !== false && flag !== 0)
}

/** The reply of a query or test: only an explicit `success: true` is a success (API-16, DB-17). */
export function failureUnlessTrue<Success extends SuccessSchema, Failure extends FailureSchema>(
  success: Success,
  failure: Failure,
) {
  return unionOn(success, failure, (flag) => flag === true || flag === 1)
}

function unionOn<Success extends SuccessSchema, Failure extends FailureSchema>(
  success: Success,
  failure: Failure,
  isSuccess: (flag: unknown) => boolean,
) {
  return z.preprocess(
    (reply: z.input<Success> | z.input<Failure>) => {
      const fields: Record<string, unknown> = isRecord(reply) ? reply : {}
      return { ...fields, success: isSuccess(fields.success) }
    },
    z.discriminatedUnion('success', [success, failure]),
  )
}
