import * as z from 'zod'
import { object } from '#object.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

interface SchemaUse {
  schema: JsonSchema
  required: boolean
}

/** A schema as used in the document: schemas with an id are references to the components. */
export function schemaOf(schema: z.ZodType): SchemaUse {
  const { root, required } = print(schema)
  return { schema: root, required }
}

/** Every schema with an id that these schemas reach, by that id, in alphabetical order. */
export function componentSchemas(schemas: z.ZodType[]): Record<string, JsonSchema> {
  const byId = new Map<string, JsonSchema>()
  for (const [id, component] of schemas.flatMap((schema) => Object.entries(print(schema).components))) {
    const known = byId.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`Two different schemas are called ${id}`)
    }
    byId.set(id, component)
  }
  return Object.fromEntries([...byId].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/**
 * Replies are printed as a backend may send them, hence 'input' for both directions. The schema is wrapped in
 * an object because zod prints references only for nested schemas.
 */
function print(schema: z.ZodType) {
  const printed = JSON.stringify(
    z.toJSONSchema(
      object(() => ({ root: schema })),
      JSON_SCHEMA_OPTIONS,
    ),
  )
  const { properties, required, $defs }: Wrapper = JSON.parse(
    printed.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  )
  return { root: properties.root, required: required?.includes('root') ?? false, components: $defs ?? {} }
}

/** A check that JSON Schema cannot express is described in words. */
const JSON_SCHEMA_OPTIONS = { io: 'input', unrepresentable: 'any' } as const

interface Wrapper {
  properties: { root: JsonSchema }
  required?: string[]
  $defs?: Record<string, JsonSchema>
}
