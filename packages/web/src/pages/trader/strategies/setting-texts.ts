import type { Config, StrategyParameter, StrategyType } from '@binnacle/contract'
import { readJson } from '#data/read-json.ts'

/** Settings as a person types them, by name. */
export type SettingTexts = Readonly<Record<string, string>>

/** Returns what the fields show: the settings given, and the defaults of the others. */
export function textsOf({ parameters }: StrategyType, config: Config = {}): SettingTexts {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, textOf(parameter, config[parameter.name])]),
  )
}

/** Returns the settings as they are sent; what does not read as its kind goes as typed, for the server to refuse. */
export function configOf({ parameters }: StrategyType, texts: SettingTexts): Config {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, READ[parameter.kind](texts[parameter.name] ?? '')]),
  )
}

function textOf({ kind, default: usual }: StrategyParameter, given: unknown): string {
  const value = given ?? usual
  if (Array.isArray(value)) return value.join(', ')
  return kind === 'json' ? JSON.stringify(value) : String(value)
}

const READ: Readonly<Record<StrategyParameter['kind'], (text: string) => unknown>> = {
  number: readNumber,
  integer: readNumber,
  text: (text) => text,
  choice: (text) => text,
  interval: (text) => text,
  instrument: (text) => text.trim(),
  instruments: (text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  json: readJson,
}

function readNumber(text: string): unknown {
  const trimmed = text.trim()
  return trimmed === '' || Number.isNaN(Number(trimmed)) ? text : Number(trimmed)
}
