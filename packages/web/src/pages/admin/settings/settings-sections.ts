import type { SettingsForm, SettingsSection } from '#ports/controls.ts'

const fieldNames: Record<SettingsSection, readonly (keyof SettingsForm)[]> = {
  general: ['systemName', 'environment'],
  notifications: ['email', 'slack', 'sms'],
  security: ['sessionTimeoutMin', 'twoFactorAuth'],
  performance: ['maxConcurrentRequests', 'cacheTtlS'],
}

/** The form with one section taken from other settings, or all of it; the other sections keep what was typed. */
export function withSectionOf(
  form: SettingsForm,
  other: SettingsForm,
  section: SettingsSection | undefined,
): SettingsForm {
  if (section === undefined) return other
  const taken = Object.fromEntries(fieldNames[section].map((name) => [name, other[name]]))
  return { ...form, ...taken }
}
