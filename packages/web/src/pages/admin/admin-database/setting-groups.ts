import type { Setting } from '@binnacle/contract'

export interface SettingGroup {
  category: string
  settings: readonly Setting[]
}

/** ADB-1: settings by category, both in the order the server gave. */
export function groupSettings(settings: readonly Setting[], nameOfNone: string): readonly SettingGroup[] {
  const groups = Map.groupBy(settings, ({ category }) => category || nameOfNone)
  return [...groups].map(([category, members]) => ({ category, settings: members }))
}
