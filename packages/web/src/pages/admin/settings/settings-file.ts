import { live } from './copy.ts'

export type Settings = Readonly<Record<string, unknown>>

export type SettingsFile = { ok: true; settings: Settings } | { ok: false; error: string }

/** The settings of an exported file, or why it has none. The server checks each of them. */
export function readSettingsFile(text: string): SettingsFile {
  const file = parse(text)
  if (file === undefined) return { ok: false, error: live.notJson }
  const settings = isObject(file) ? (file.settings ?? undefined) : undefined
  return isObject(settings) ? { ok: true, settings } : { ok: false, error: live.noSettings }
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
