import { live } from './copy.ts'

/** The settings of an exported file, or why it has none. The server checks each of them. */
export function readSettingsFile(text: string): Readonly<Record<string, unknown>> | string {
  const file = parse(text)
  if (file === undefined) return live.notJson
  const settings = isObject(file) ? (file.settings ?? undefined) : undefined
  return isObject(settings) ? settings : live.noSettings
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
