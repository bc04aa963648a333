import type { Instruments } from '#market/instruments.ts'
import { INTERVALS, type Interval } from '#model/interval.ts'
import type { MalformedInput } from '#model/reasons.ts'
import { assert } from '#values/bug.ts'
import { ok, type Result, refuse } from '#values/result.ts'
import type { JsonObject, Parameter, Settings, SettingValue } from './parameter.ts'

/** Reads the settings of a kind's parameters: a missing one takes its default, an unknown one is refused. */
export function readSettings(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
  instruments: Instruments,
): Result<Settings, MalformedInput> {
  const names = parameters.map(({ name }) => name)
  const unknownName = Object.keys(given).find((name) => !names.includes(name))
  if (unknownName !== undefined) {
    return refuse({ code: 'setting.unknown', parameter: unknownName, known: names.join(', ') || 'none' })
  }
  const all: Record<string, SettingValue> = {}
  for (const parameter of parameters) {
    const value = given[parameter.name] ?? parameter.default
    const problem = checkValue(parameter, value, instruments)
    if (problem !== null) return refuse(problem)
    // A value without a problem has the parameter's shape.
    all[parameter.name] = value as SettingValue
  }
  return ok(settingsOf(all))
}

/** Returns what is wrong with a value, or null. */
function checkValue(parameter: Parameter, value: unknown, instruments: Instruments): MalformedInput | null {
  const unknown = findUnknownInstrument(parameter, value, instruments)
  if (unknown !== null) {
    const suggestion = instruments.find(unknown.toUpperCase())?.id ?? null
    return {
      code: 'setting.instrument-unknown',
      parameter: parameter.name,
      instrument: describeValue(unknown),
      suggestion,
    }
  }
  const requirement = requirementOf(parameter, value, instruments)
  if (requirement === null) return null
  const { name, label } = parameter
  return { code: 'setting.invalid', parameter: name, label, given: describeValue(value), requirement }
}

function findUnknownInstrument(
  parameter: Parameter,
  value: unknown,
  instruments: Instruments,
): string | null {
  const names = parameter.kind === 'instrument' ? [value] : parameter.kind === 'instruments' ? value : []
  if (!Array.isArray(names)) return null
  return names.filter(isText).find((name) => instruments.find(name) === undefined) ?? null
}

/** Returns what the value must be, or null when it is. Instruments that are named are known to exist. */
function requirementOf(parameter: Parameter, value: unknown, instruments: Instruments): string | null {
  switch (parameter.kind) {
    case 'number':
    case 'integer':
      return numberRequirement(parameter, value)
    case 'text':
      return isText(value) && value.length <= parameter.maxLength
        ? null
        : `must be a text of at most ${parameter.maxLength} characters`
    case 'json':
      return jsonRequirement(parameter.maxLength, value)
    case 'choice':
      return choiceRequirement(parameter.choices, value)
    case 'interval':
      return choiceRequirement(INTERVALS, value)
    case 'instrument':
      return isText(value) ? null : 'must be the name of an instrument'
    case 'instruments':
      return listRequirement(parameter, value, instruments)
  }
}

function numberRequirement(
  { kind, min, max }: Extract<Parameter, { kind: 'number' | 'integer' }>,
  value: unknown,
): string | null {
  const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max
  if (isNumber && (kind === 'number' || Number.isInteger(value))) return null
  return `must be a ${kind === 'integer' ? 'whole number' : 'number'} from ${min} to ${max}`
}

function listRequirement(
  { min, max }: Extract<Parameter, { kind: 'instruments' }>,
  value: unknown,
  instruments: Instruments,
): string | null {
  const requirement = `must be a list of ${min} to ${max} different instruments`
  if (!Array.isArray(value) || value.length < min || value.length > max) return requirement
  const found = new Set(value.map((name: unknown) => (isText(name) ? instruments.find(name)?.id : undefined)))
  return found.size === value.length && !found.has(undefined) ? null : requirement
}

function jsonRequirement(maxLength: number, value: unknown): string | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && JSON.stringify(value).length <= maxLength) return null
  return `must be a JSON object of at most ${maxLength} characters`
}

function choiceRequirement(choices: readonly string[], value: unknown): string | null {
  return isText(value) && choices.includes(value) ? null : `must be one of ${choices.join(', ')}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const SHOWN_VALUE_MAX_CHARS = 80

function describeValue(value: unknown): string {
  const text = isText(value) ? value : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN_VALUE_MAX_CHARS ? `${text.slice(0, SHOWN_VALUE_MAX_CHARS)}…` : text
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
    // Settings of kind interval hold only checked intervals.
    interval: (name) => text(name) as Interval,
    number: (name) => {
      const value = all[name]
      assert(typeof value === 'number', 'no such number among the settings', name)
      return value
    },
    json: (name) => {
      const value = all[name]
      assert(typeof value === 'object' && !Array.isArray(value), 'no such object among the settings', name)
      // Only settings of kind json are objects.
      return value as JsonObject
    },
    list: (name) => {
      const value = all[name]
      assert(Array.isArray(value), 'no such list among the settings', name)
      return value
    },
  }
}
