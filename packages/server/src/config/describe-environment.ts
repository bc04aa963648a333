import * as z from 'zod'
import { describeConfig, parseConfig } from './config.ts'
import { Environment } from './environment.ts'

export interface VariableDescription {
  name: string
  standard: string
  accepts: string
  meaning: string
}

/** The variables of the schema with their defaults, for the configuration reference. */
export function describeEnvironment(): VariableDescription[] {
  const { properties = {} } = z.toJSONSchema(Environment, { io: 'input', unrepresentable: 'any' })
  const parsed = new Map(Object.entries(describeConfig(parseConfig({}))))
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === 'boolean' || schema.description === undefined) return []
    const { accepts = 'a folder', shownDefault, description } = schema
    // A default behind a conversion is not in the JSON schema; the parsed configuration has it.
    const value = String(schema.default ?? parsed.get(name) ?? '')
    const standard = shownDefault ?? (value === '' ? 'not set' : `\`${value}\``)
    return [{ name, standard: String(standard), accepts: String(accepts), meaning: description }]
  })
}
