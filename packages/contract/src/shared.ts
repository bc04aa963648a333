import * as z from 'zod'
import { object, strictObject } from '#object.ts'

/** A number or a text, as the backend chooses. Screens only pass ids on. */
export const Id = z.union([z.string(), z.number()])
export type Id = z.output<typeof Id>

/** An id inside a path: clients may pass a number, handlers always receive text. */
export const PathId = z.preprocess((id: Id) => (typeof id === 'number' ? String(id) : id), z.string().min(1))

export const ById = strictObject(() => ({ id: PathId }))

/** A date or a time in a request, as ISO text with milliseconds. */
export const Timestamp = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a date such as 2026-03-31, or a time such as 2026-03-31T08:00:00Z',
  })
  .transform((moment) => new Date(moment).toISOString())

/** A flag as requests must send it. */
export const StrictFlag = z.literal([0, 1])

/** A flag in a reply: 0 or 1; booleans are accepted too. */
export const Flag = z.preprocess(
  (flag: 0 | 1 | boolean) => (typeof flag === 'boolean' ? Number(flag) : flag),
  StrictFlag,
)
export type Flag = z.output<typeof Flag>

/** A boolean in a reply; 0 and 1 are accepted too. */
export const TolerantBoolean = z.preprocess(
  (flag: 0 | 1 | boolean) => (flag === 0 || flag === 1 ? flag === 1 : flag),
  z.boolean(),
)

/**
 * Free-form settings of a strategy, component or result. A number that JSON parses as infinite is refused, since it
 * would be written back as null, which means the default.
 */
export const Config = z.record(z.string(), z.unknown()).superRefine((config, context) => {
  for (const path of pathsOfInfinite(config)) context.addIssue({ code: 'custom', path, message: TOO_LARGE })
})
export type Config = z.output<typeof Config>

const TOO_LARGE = 'is too large a number'

function pathsOfInfinite(value: unknown): string[][] {
  if (value === Infinity || value === -Infinity) return [[]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOfInfinite(member).map((path) => [name, ...path]),
  )
}

/** An optional field of a reply: undefined when it is absent or invalid, so that the reply still parses. */
export function ifGiven<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}

/** Beside a list of trading records: what it was read from. Older servers send neither. */
export const AS_OF = {
  journal_seq: ifGiven(z.number()).describe('The journal entry up to which the reply is complete'),
  as_of: ifGiven(z.string()).describe('The time of the reply'),
}

/** The reply of a change: any body is accepted, even an empty one, since the OK status decides. */
export const Done = z
  .preprocess(
    (reply: { message?: string | undefined; confirmed?: boolean | undefined }) =>
      isRecord(reply) ? reply : {},
    object(() => ({
      message: ifGiven(z.string()),
      confirmed: ifGiven(z.boolean()).describe('false with 202: the outcome is not known yet'),
    })),
  )
  .meta({ id: 'Done' })
export type Done = z.output<typeof Done>

/** The reply of a creation: the new entity if the backend sends it, else Done. */
export function orDone<Entity extends z.ZodType>(entity: Entity) {
  return z.union([entity, Done])
}

/** A list in its envelope, with optional fields beside it; a bare array is accepted as the list. */
export function listOf<
  const Key extends string,
  Item extends z.ZodType,
  Beside extends z.ZodRawShape = Record<never, never>,
>(key: Key, item: Item, beside?: Beside) {
  return z.preprocess(
    (reply: z.input<z.ZodObject<{ [K in Key]: z.ZodArray<Item> } & Beside>>) =>
      Array.isArray(reply) ? { [key]: reply } : reply,
    // TypeScript widens a computed key to string, so the shape is stated again.
    object(() => ({ ...beside, [key]: z.array(item) }) as { [K in Key]: z.ZodArray<Item> } & Beside),
  )
}

export function isRecord(reply: unknown): reply is Record<string, unknown> {
  return typeof reply === 'object' && reply !== null && !Array.isArray(reply)
}
