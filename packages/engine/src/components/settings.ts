import type { Instruments } from '#market/instruments.ts'
import type { Malformed } from '#orders/reasons.ts'
import type { Parameter, Settings } from '#strategies/parameter.ts'
import { readSettings } from '#strategies/settings.ts'
import type { Result } from '#values/result.ts'
import type { ComponentName } from './names.ts'

/** What can be set on each component; most have nothing to set, and say so when something is. */
const COMPONENT_SETTINGS: Readonly<Record<ComponentName, readonly Parameter[]>> = {
  DataEngine: [
    {
      name: 'stale_after_s',
      sentence: 'How old a quote may be for a market order, in seconds',
      kind: 'number',
      min: 1,
      max: 3_600,
      default: 60,
    },
  ],
  ExecutionEngine: [],
  RiskEngine: [],
  Portfolio: [],
  Cache: [],
  MessageBus: [],
}

/** Reads a configuration that somebody gives. */
export function readComponentSettings(
  component: ComponentName,
  config: string,
  instruments: Instruments,
): Result<Settings, Malformed> {
  return readSettings(COMPONENT_SETTINGS[component], JSON.parse(config), instruments)
}

/** Returns a kept configuration with its defaults; what older journals keep and nothing reads is left out. */
export function componentConfig(component: ComponentName, kept: string): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = JSON.parse(kept)
  return Object.fromEntries(
    COMPONENT_SETTINGS[component].map((setting) => [setting.name, given[setting.name] ?? setting.default]),
  )
}

/** How old a quote may be by what was set, or null when nothing was. */
export function staleAfterMsOf(kept: string): number | null {
  const seconds = JSON.parse(kept).stale_after_s
  return typeof seconds === 'number' ? seconds * 1_000 : null
}
