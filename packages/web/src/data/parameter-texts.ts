import type { Config, StrategyParameter, StrategyType } from '@binnacle/contract'
import { readJson } from './read-json.ts'

/** Settings as typed, by parameter name. */
export type ParameterTexts = Readonly<Record<string, string>>

/** The parameter's name in the body of a request. */
export function configField(parameter: string): string {
  return `config.${parameter}`
}

/** The messages of a form at its parameters, by parameter name. */
export function configErrors(
  fields: Readonly<Record<string, string>> | undefined,
  prefix = configField(''),
): Readonly<Record<string, string>> {
  const named = Object.entries(fields ?? {}).filter(([field]) => field.startsWith(prefix))
  return Object.fromEntries(named.map(([field, message]) => [field.slice(prefix.length), message]))
}

/** Returns the texts of the fields: the given settings, and defaults for the others. */
export function textsOf({ parameters }: StrategyType, config: Config = {}): ParameterTexts {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, textOf(parameter, config[parameter.name])]),
  )
}

/** Returns the settings to send; text that does not parse is sent as typed, and the server refuses it. */
export function configOf({ parameters }: StrategyType, texts: ParameterTexts): Config {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, PARSERS[parameter.kind](texts[parameter.name] ?? '')]),
  )
}

function textOf({ kind, default: fallback }: StrategyParameter, given: unknown): string {
  const value = given ?? fallback
  if (Array.isArray(value)) return value.join(', ')
  return kind === 'json' ? JSON.stringify(value) : String(value)
}

const PARSERS: Readonly<Record<StrategyParameter['kind'], (text: string) => unknown>> = {
  number: parseNumber,
  integer: parseNumber,
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

function parseNumber(text: string): unknown {
  const trimmed = text.trim()
  return trimmed === '' || !Number.isFinite(Number(trimmed)) ? text : Number(trimmed)
}
