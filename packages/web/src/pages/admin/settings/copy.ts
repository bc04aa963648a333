import type { SettingsSection } from '#ports/controls.ts'

export const copy = {
  title: 'Settings',
  back: 'Back',
  things: 'settings',
  loading: 'Loading settings...',
  failed: 'The settings could not be loaded',
  save: 'Save',
  reset: 'Reset',
  export: 'Export',
  import: 'Import',
  saveAll: 'Save All',
  resetAll: 'Reset All',
  all: 'all settings',
  fields: {
    systemName: 'System Name',
    environment: 'Environment',
    email: 'Email',
    slack: 'Slack',
    sms: 'SMS',
    sessionTimeoutMin: 'Session Timeout (minutes)',
    twoFactorAuth: 'Two-Factor Auth',
    maxConcurrentRequests: 'Max Concurrent Requests',
    cacheTtlS: 'Cache TTL (seconds)',
  },
} as const

export const sectionTitles: Record<SettingsSection, string> = {
  general: 'General',
  notifications: 'Notifications',
  security: 'Security',
  performance: 'Performance',
}

/** The name of a section within a sentence. */
export function sectionName(section: SettingsSection | undefined): string {
  return section === undefined ? copy.all : `${sectionTitles[section]} settings`
}
