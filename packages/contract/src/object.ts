import * as z from 'zod'

/**
 * Values here are parsed JSON, or the server's own rows: they have no cycles, and zod's guard against cycles creates two
 * weak maps for each parse of a schema whose fields are not built yet.
 */
z.config({ memoizer: { attach: () => {}, guard: () => {}, alloc: (_schema, _payload, empty) => empty } })

/**
 * An object schema that builds its fields on first use. The contract has thousands of fields, and a page or a process
 * needs few of them at its start.
 */
export function object<Fields extends z.ZodRawShape>(
  fields: () => Fields,
): z.ZodObject<Fields, z.core.$strip> {
  return build(fields)
}

/** The same for what clients send: it refuses other fields. */
export function strictObject<Fields extends z.ZodRawShape>(
  fields: () => Fields,
): z.ZodObject<Fields, z.core.$strict> {
  return build(fields, z.never())
}

function build<Fields extends z.ZodRawShape, Rest extends z.core.$ZodObjectConfig>(
  fields: () => Fields,
  catchall?: z.ZodNever,
): z.ZodObject<Fields, Rest> {
  let built: Fields | undefined
  const schema = new z.ZodObject({
    type: 'object',
    get shape() {
      built ??= fields()
      return built
    },
    ...(catchall && { catchall }),
  })
  // The constructor takes any shape; that of the result is what the getter returns.
  return schema as unknown as z.ZodObject<Fields, Rest>
}
