import { expect, test } from 'vitest'
import type * as z from 'zod'
import { allCalls } from './apis.ts'
import { componentSchemas, schemaOf } from './json-schema.ts'

interface Printed {
  $ref?: string
  type?: string
  properties?: Record<string, Printed>
  anyOf?: Printed[]
  allOf?: Printed[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minProperties?: number
  format?: string
  contentMediaType?: string
}

const bodies = allCalls().flatMap(({ id, endpoint: { body } }) => (body === undefined ? [] : [{ id, body }]))

const ODD_TEXTS = ['', ' ', ' a', 'a ', 'a\nb', 'a\u0000b', '\u202eevil', '.', '..']

test.each(bodies)(
  '[CALL-70] the printed schema of $id refuses the texts that the call refuses',
  ({ body }) => {
    const { root, resolve } = printedOf(body)
    for (const [name, field] of Object.entries(fieldsOf(root, resolve))) {
      const refused = ODD_TEXTS.filter((text) => isRefused(body, name, text))
      expect(refused.filter((text) => accepts(field, text, resolve))).toEqual([])
    }
  },
)

test.each(bodies)(
  '[CALL-70] the printed schema of $id refuses no field at all if the call does',
  ({ body }) => {
    const { root, resolve } = printedOf(body)
    const isEmptyRefused = body
      .safeParse({})
      .error?.issues.some(({ path, code }) => path.length === 0 && code === 'custom')
    expect(resolve(root).minProperties).toBe(isEmptyRefused ? 1 : undefined)
  },
)

function printedOf(body: z.ZodType) {
  // Only the keywords above are read.
  const components = componentSchemas([body]) as Record<string, Printed>
  const resolve = (schema: Printed): Printed =>
    schema.$ref === undefined ? schema : (components[schema.$ref.split('/').at(-1) ?? ''] ?? schema)
  return { root: schemaOf(body).schema as Printed, resolve }
}

type Resolve = (schema: Printed) => Printed

function fieldsOf(schema: Printed, resolve: Resolve): Record<string, Printed> {
  const { properties = {}, anyOf = [] } = resolve(schema)
  return Object.assign({}, ...anyOf.map((variant) => fieldsOf(variant, resolve)), properties)
}

/** Other fields are missing, which is of no interest here. */
function isRefused(body: z.ZodType, name: string, text: string): boolean {
  const issues = body.safeParse({ [name]: text }).error?.issues ?? []
  return issues.some(({ path }) => path[0] === name)
}

/** As far as the contract's schemas of texts go. JSON inside a text is said by its media type. */
function accepts(schema: Printed, text: string, resolve: Resolve): boolean {
  const { type, anyOf, allOf = [], pattern, minLength = 0, maxLength = Infinity, ...rest } = resolve(schema)
  if (anyOf !== undefined) return anyOf.some((variant) => accepts(variant, text, resolve))
  if (type !== undefined && type !== 'string') return false
  if (rest.format !== undefined || rest.contentMediaType === 'application/json') return false
  if (rest.enum !== undefined && !rest.enum.includes(text)) return false
  if (rest.const !== undefined && rest.const !== text) return false
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false
  return (
    text.length >= minLength &&
    text.length <= maxLength &&
    allOf.every((part) => accepts(part, text, resolve))
  )
}
