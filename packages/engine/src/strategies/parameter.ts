import type { Interval } from '#market/interval.ts'

/** Something that can be set on a kind of strategy, with what it means in one sentence. */
export type Parameter = { readonly name: string; readonly sentence: string } & (
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

/** Settings that only the receiver knows. */
export type JsonObject = Readonly<Record<string, unknown>>

export type SettingValue = number | string | readonly string[] | JsonObject

/** A value for every parameter of a kind, each checked; made by `readSettings` only. */
export interface Settings {
  number(name: string): number
  text(name: string): string
  interval(name: string): Interval
  list(name: string): readonly string[]
  json(name: string): JsonObject
  /** All of them, defaults filled in, as they are recorded. */
  readonly all: Readonly<Record<string, SettingValue>>
}
