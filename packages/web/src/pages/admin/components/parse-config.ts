import { parseJson } from '#data/failure.ts'
import type { ComponentConfig } from '#ports/controls.ts'
import { describeJsonError } from '#ui/control/json-error.ts'
import { copy } from './copy.ts'

export type ParsedConfig = { config: ComponentConfig } | { fault: string }

/** A configuration is any JSON object; the server validates its properties. */
export function parseConfig(text: string): ParsedConfig {
  const fault = describeJsonError(text)
  if (fault !== undefined) return { fault }
  const value = parseJson(text)
  return isObject(value) ? { config: value } : { fault: copy.notObject }
}

function isObject(value: unknown): value is ComponentConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
