import { parseJson } from '#data/failure.ts'
import type { ComponentConfig } from '#ports/controls.ts'
import { copy } from './copy.ts'

export type ParsedConfig = { config: ComponentConfig } | { fault: string }

/** A configuration is a JSON object; what exactly it may hold is the server's to say. */
export function parseConfig(text: string): ParsedConfig {
  const value = parseJson(text)
  if (value === undefined) return { fault: copy.notJson }
  return isObject(value) ? { config: value } : { fault: copy.notObject }
}

function isObject(value: unknown): value is ComponentConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
