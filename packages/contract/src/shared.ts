import * as z from 'zod'

/** Backends number their rows or name them; screens only pass ids on. */
export const Id = z.union([z.string(), z.number()])
export type Id = z.output<typeof Id>

/** An id inside a path: callers pass on what a list gave them, handlers always receive text. */
export const PathId = z.preprocess((id: Id) => (typeof id === 'number' ? String(id) : id), z.string().min(1))

export const ById = z.strictObject({ id: PathId })

/** A flag as requests must send it. */
export const StrictFlag = z.literal([0, 1])

/** Flags travel as 0 or 1; a backend that sends booleans is understood. */
export const Flag = z.preprocess(
  (flag: 0 | 1 | boolean) => (typeof flag === 'boolean' ? Number(flag) : flag),
  StrictFlag,
)
export type Flag = z.output<typeof Flag>

/** The opposite case: true or false by specification, 0 and 1 understood. */
export const Truth = z.preprocess(
  (truth: 0 | 1 | boolean) => (truth === 0 || truth === 1 ? truth === 1 : truth),
  z.boolean(),
)

/**
 * Free-form settings of a strategy, component or result: JSON whose keys only the receiver knows. A number that is read
 * as infinite would be written as null, which means the default.
 */
export const Config = z.record(z.string(), z.unknown()).superRefine((config, context) => {
  for (const path of infiniteIn(config)) context.addIssue({ code: 'custom', path, message: TOO_LARGE })
})
export type Config = z.output<typeof Config>

const TOO_LARGE = 'is too large a number'

function infiniteIn(value: unknown): string[][] {
  if (value === Infinity || value === -Infinity) return [[]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, held]) => infiniteIn(held).map((path) => [name, ...path]))
}

/** A field whose absence or nonsense must not spoil the reply around it: read when right, else undefined. */
export function ifGiven<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}

/** The reply of a change: an OK status is all that counts, an empty body included. */
export const Done = z
  .preprocess(
    (reply: { message?: string | undefined }) => (isRecord(reply) ? reply : {}),
    z.object({ message: ifGiven(z.string()) }),
  )
  .meta({ id: 'Done' })
export type Done = z.output<typeof Done>

/** The reply of a creation: the thing itself when the backend tells it, else Done. */
export function orDone<Thing extends z.ZodType>(thing: Thing) {
  return z.union([thing, Done])
}

/** A list in its envelope, with what stands beside it; a bare array is understood as the list itself. */
export function listOf<
  const Key extends string,
  Item extends z.ZodType,
  Beside extends z.ZodRawShape = Record<never, never>,
>(key: Key, item: Item, beside?: Beside) {
  return z.preprocess(
    (reply: z.input<z.ZodObject<{ [K in Key]: z.ZodArray<Item> } & Beside>>) =>
      Array.isArray(reply) ? { [key]: reply } : reply,
    // A computed key widens to string, so the shape is named again.
    z.object({ ...beside, [key]: z.array(item) } as { [K in Key]: z.ZodArray<Item> } & Beside),
  )
}

export function isRecord(reply: unknown): reply is Record<string, unknown> {
  return typeof reply === 'object' && reply !== null && !Array.isArray(reply)
}
