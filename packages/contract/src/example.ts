import * as z from 'zod'

type Schema = z.core.JSONSchema.BaseSchema

/**
 * A value that the schema accepts, for the documentation: every field is given, with its example, its default, the
 * first choice or a plausible value by its name.
 */
export function exampleOf(schema: z.ZodType): unknown {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return createExample(root, { name: '', definitions: $defs, open: ['#'] })
}

interface Context {
  /** Of the field; empty at the top. */
  name: string
  definitions: Record<string, Schema>
  /** The references being followed, '#' for the whole: a schema that contains itself ends there. */
  open: readonly string[]
}

function createExample(schema: Schema, context: Context): unknown {
  if (schema.$ref !== undefined) return followReference(schema.$ref, context)
  const [example] = schema.examples ?? []
  if (example !== undefined) return example
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const choice = choices.find((candidate) => isGiven(candidate, context))
    return choice && createExample(choice, context)
  }
  // The patterns of a text stand in `allOf` when there are several.
  if (schema.allOf && schema.type !== 'string')
    return Object.assign({}, ...schema.allOf.map((part) => createExample(part, context)))
  return exampleOfType(schema, context)
}

function isGiven(choice: Schema, { open }: Context): boolean {
  return choice.type !== 'null' && !open.includes(choice.$ref ?? '')
}

function followReference(reference: string, context: Context): unknown {
  const definition = context.definitions[reference.replace('#/$defs/', '')]
  if (!definition || context.open.includes(reference)) return null
  return createExample(definition, { ...context, open: [...context.open, reference] })
}

function exampleOfType(schema: Schema, context: Context): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return exampleOfObject(schema, context)
  if (type === 'array') return exampleOfArray(schema, context)
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return exampleOfNumber(schema, type === 'integer', context)
  if (type === 'string') return exampleOfString(schema, context)
  return NAMED.get(context.name) ?? 'value'
}

function exampleOfObject(schema: Schema, context: Context): unknown {
  const fields = Object.entries(schema.properties ?? keyedFields(schema)).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return []
    return [[name, createExample(field, { ...context, name })] as const]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** The fields of a record whose keys are listed. */
function keyedFields({
  propertyNames,
  additionalProperties = true,
}: Schema): NonNullable<Schema['properties']> {
  const keys = typeof propertyNames === 'object' ? (propertyNames.enum ?? []) : []
  return Object.fromEntries(keys.map((key) => [String(key), additionalProperties]))
}

function exampleOfArray({ prefixItems, items, minItems = 1 }: Schema, context: Context): unknown {
  if (prefixItems) return prefixItems.map((item) => createExample(Object(item), context))
  if (typeof items !== 'object' || Array.isArray(items) || !isGiven(items, context)) return []
  return Array.from({ length: minItems || 1 }, () => createExample(items, context))
}

function exampleOfNumber(schema: Schema, isInteger: boolean, { name }: Context): number {
  const { minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER } = schema
  const least =
    minimum ?? (exclusiveMinimum === undefined ? Number.MIN_SAFE_INTEGER : Number(exclusiveMinimum) + 1)
  const named = NAMED.get(name)
  const isAllowed =
    typeof named === 'number' && named >= least && named <= maximum && (!isInteger || Number.isInteger(named))
  return isAllowed ? named : Math.max(least, 1)
}

function exampleOfString(schema: Schema, { name }: Context): string {
  const { minLength = 0, format } = schema
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => pattern ?? [])
  const candidates = [
    NAMED.get(name),
    name.endsWith('_at') ? TIME : undefined,
    format && TIME,
    'text',
    '1',
    TIME,
  ]
  const isAllowed = (text: unknown): text is string =>
    typeof text === 'string' &&
    text.length >= minLength &&
    patterns.every((pattern) => new RegExp(pattern, 'u').test(text))
  return candidates.find(isAllowed) ?? 'x'.repeat(minLength)
}

const TIME = '2026-01-05T14:02:11.000Z'

/** Plausible values by the name of a field. */
const NAMED: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ['id', 'O-1'],
  ['instrument', 'BTCUSDT'],
  ['symbol', 'BTCUSDT'],
  ['venue', 'BINANCE'],
  ['quantity', 0.001],
  ['price', 60_000],
  ['average_price', 60_000],
  ['name', 'Momentum BTC'],
  ['message', 'Done'],
  ['query', 'SELECT 1'],
  ['query_id', 'query-0001'],
  ['upload_id', '7f0c2a4e-3d51-4b7a-9c61-2f8a5d0e6b13'],
  ['method', 'GET'],
  ['path', '/api/orders'],
  ['parameters', '{}'],
  ['connection_string', 'ledger.sqlite'],
  ['email', 'trader@example.com'],
  ['username', 'trader'],
  ['url', 'http://localhost:8000'],
  ['from', '2026-01-01T00:00:00.000Z'],
  ['to', '2026-01-08T00:00:00.000Z'],
])
