import type { Instruments } from '#market/instruments.ts'
import { INTERVALS, type Interval } from '#market/interval.ts'
import type { Malformed } from '#orders/reasons.ts'
import { assert } from '#values/bug.ts'
import { accept, type Result, refuse } from '#values/result.ts'
import type { JsonObject, Parameter, Settings, SettingValue } from './parameter.ts'

/** Reads what was given for a kind's parameters: what is left out takes its default, what is unknown is refused. */
export function readSettings(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
  instruments: Instruments,
): Result<Settings, Malformed> {
  const names = parameters.map(({ name }) => name)
  const stranger = Object.keys(given).find((name) => !names.includes(name))
  if (stranger !== undefined) {
    return refuse({ code: 'setting.unknown', parameter: stranger, known: names.join(', ') || 'none' })
  }
  const all: Record<string, SettingValue> = {}
  for (const parameter of parameters) {
    const value = given[parameter.name] ?? parameter.default
    const must = demand(parameter, value, instruments)
    if (must !== null)
      return refuse({ code: 'setting.invalid', parameter: parameter.name, given: told(value), must })
    // What meets the parameter's demand has its shape.
    all[parameter.name] = value as SettingValue
  }
  return accept(settingsOf(all))
}

/** Returns what the value would have to be, or null when it is so. */
function demand(parameter: Parameter, value: unknown, instruments: Instruments): string | null {
  switch (parameter.kind) {
    case 'number':
    case 'integer':
      return demandNumber(parameter, value)
    case 'text':
      return isText(value) && value.length <= parameter.maxLength
        ? null
        : `must be a text of at most ${parameter.maxLength} characters`
    case 'json':
      return demandJson(parameter.maxLength, value)
    case 'choice':
      return oneOf(parameter.choices, value)
    case 'interval':
      return oneOf(INTERVALS, value)
    case 'instrument':
      return isText(value) && instruments.find(value) ? null : 'must be an instrument, such as BTCUSDT'
    case 'instruments':
      return demandList(parameter, value, instruments)
  }
}

function demandNumber(
  { kind, min, max }: Extract<Parameter, { kind: 'number' | 'integer' }>,
  value: unknown,
): string | null {
  const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
  if (isNumber && (kind === 'number' || Number.isInteger(value))) return null
  return `must be a ${kind === 'integer' ? 'whole number' : 'number'} from ${min} to ${max}`
}

function demandList(
  { min, max }: Extract<Parameter, { kind: 'instruments' }>,
  value: unknown,
  instruments: Instruments,
): string | null {
  const must = `must be a list of ${min} to ${max} different instruments`
  if (!Array.isArray(value) || value.length < min || value.length > max) return must
  const found = value.map((name: unknown) => (isText(name) ? instruments.find(name)?.id : undefined))
  const stranger = found.indexOf(undefined)
  if (stranger >= 0) return `${must}; ${told(value[stranger])} is none`
  return new Set(found).size === found.length ? null : must
}

function demandJson(maxLength: number, value: unknown): string | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && JSON.stringify(value).length <= maxLength) return null
  return `must be a JSON object of at most ${maxLength} characters`
}

function oneOf(choices: readonly string[], value: unknown): string | null {
  return isText(value) && choices.includes(value) ? null : `must be one of ${choices.join(', ')}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const TOLD_AT_MOST = 80

function told(value: unknown): string {
  const text = isText(value) ? value : (JSON.stringify(value) ?? String(value))
  return text.length > TOLD_AT_MOST ? `${text.slice(0, TOLD_AT_MOST)}…` : text
}

function settingsOf(all: Readonly<Record<string, SettingValue>>): Settings {
  const text = (name: string) => {
    const value = all[name]
    assert(isText(value), 'no such text among the settings', name)
    return value
  }
  return {
    all,
    text,
    // Only checked intervals are among the settings of that kind.
    interval: (name) => text(name) as Interval,
    number: (name) => {
      const value = all[name]
      assert(typeof value === 'number', 'no such number among the settings', name)
      return value
    },
    json: (name) => {
      const value = all[name]
      assert(typeof value === 'object' && !Array.isArray(value), 'no such object among the settings', name)
      // An object that is no list is one that was checked as JSON.
      return value as JsonObject
    },
    list: (name) => {
      const value = all[name]
      assert(Array.isArray(value), 'no such list among the settings', name)
      return value
    },
  }
}
