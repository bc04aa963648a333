import type { Interval } from '#model/interval.ts'

/** A parameter of a strategy kind or component, with its label in words and a one-sentence description. */
export type Parameter = { readonly name: string; readonly label: string; readonly description: string } & (
  | {
      readonly kind: 'number' | 'integer'
      readonly min: number
      readonly max: number
      readonly default: number
    }
  | { readonly kind: 'json'; readonly maxLength: number; readonly default: JsonObject }
  | { readonly kind: 'text'; readonly maxLength: number; readonly default: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string }
  | { readonly kind: 'interval'; readonly default: Interval }
  | { readonly kind: 'instrument'; readonly default: string }
  | {
      readonly kind: 'instruments'
      readonly min: number
      readonly max: number
      readonly default: readonly string[]
    }
)

/** Settings whose shape only the receiver knows. */
export type JsonObject = Readonly<Record<string, unknown>>

export type SettingValue = number | string | readonly string[] | JsonObject

/** A checked value for every parameter of a kind; created by `readSettings` only. */
export interface Settings {
  number(name: string): number
  text(name: string): string
  interval(name: string): Interval
  list(name: string): readonly string[]
  json(name: string): JsonObject
  /** All values with defaults, as recorded. */
  readonly all: Readonly<Record<string, SettingValue>>
}
