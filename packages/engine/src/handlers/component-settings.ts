import type { Instruments } from '#market/instruments.ts'
import { COMPONENT_NAMES, type ComponentName } from '#model/component.ts'
import type { MalformedInput } from '#model/reasons.ts'
import type { Parameter, Settings } from '#strategies/parameter.ts'
import { readSettings } from '#strategies/settings.ts'
import type { Result } from '#values/result.ts'

/** The settings of each component. Most have none and refuse any. */
const COMPONENT_SETTINGS: Readonly<Record<ComponentName, readonly Parameter[]>> = {
  DataEngine: [
    {
      name: 'stale_after_s',
      // The screen has the settings as JSON, by these names.
      label: 'stale_after_s',
      description: 'Maximum age of a quote for a market order, in seconds',
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

/** Parses and checks a component's configuration. */
export function readComponentSettings(
  component: ComponentName,
  config: string,
  instruments: Instruments,
): Result<Settings, MalformedInput> {
  return readSettings(COMPONENT_SETTINGS[component], JSON.parse(config), instruments)
}

/**
 * Returns a stored configuration with defaults. Keys of older journals that are no longer used are left out. Components
 * of another engine have no settings.
 */
export function componentConfig(component: string, stored: string): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = JSON.parse(stored)
  const known = COMPONENT_NAMES.find((name) => name === component)
  const settings = known === undefined ? [] : COMPONENT_SETTINGS[known]
  return Object.fromEntries(settings.map((setting) => [setting.name, given[setting.name] ?? setting.default]))
}

/** Returns the configured maximum age of a quote, or null. */
export function staleAfterMsOf(stored: string): number | null {
  const seconds = JSON.parse(stored).stale_after_s
  return typeof seconds === 'number' ? seconds * 1_000 : null
}
