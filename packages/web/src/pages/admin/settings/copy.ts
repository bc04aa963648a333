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

/** The words that only a live server needs. */
export const live = {
  these: 'the settings',
  noEffect: 'No effect until sign-in is configured',
  hints: {
    systemName: 'In the header and in notifications',
    environment: 'As a tag in the header',
    maxConcurrentRequests: 'Requests above this limit get 503. Cancel, close and emergency are exempt.',
    cacheTtl: 'Maximum age of instrument lists, table counts and catalog statistics',
  },
  channels: { email: 'Email by SMTP', slack: 'Slack by webhook', sms: 'SMS by webhook' },
  encryption: [
    { value: 'starttls', label: 'STARTTLS' },
    { value: 'tls', label: 'TLS' },
    { value: 'none', label: 'None (this machine only)' },
  ],
  secretStored: 'Stored, never shown. Type a new one to replace it.',
  sendTest: 'Send test',
  sendTestBy: (channel: string) => `Send test: ${channel}`,
  saveFirst: 'Save the changes first',
  accepted: (answer: string) => `Accepted: ${answer}`,
  notSent: (answer: string) => `Not sent: ${answer}`,
  testUnknown: 'No answer. The test message may have been sent; look for it before sending it again.',
  confirmReset: (name: string) => `Reset ${name} to the defaults?`,
  versions: 'Versions',
  versionsLoading: 'Loading versions...',
  versionsFailed: 'The versions could not be loaded',
  versionTitle: (version: number) => `Version ${version}`,
  firstVersion: 'Before the first change',
  currentVersion: 'Current',
  revertAction: 'Revert',
  revertTo: (version: number) => `Revert to version ${version}`,
  confirmRevert: (version: number) => `Revert to version ${version}?`,
  revertDetail: 'Restores every setting to that version and saves the result as a new version.',
  revert: (version: number) => ({
    starting: `Reverting to version ${version}...`,
    done: `Settings of version ${version} restored`,
    failed: `Failed to revert to version ${version}`,
    unknown: `No answer. The settings may have been reverted to version ${version}; check the values shown here.`,
  }),
  empty: '(empty)',
  importTitle: 'Import settings',
  file: 'Settings file',
  apply: 'Apply',
  cancel: 'Cancel',
  changes: 'Changes',
  wouldChange: (count: number) =>
    count === 1 ? '1 setting would change:' : `${count} settings would change:`,
  nothingToChange: 'The file matches the current settings.',
  importRefused: 'The file was refused. Correct these keys and choose it again:',
  previewUnknown: 'No answer. Nothing was changed; choose the file again.',
  notJson: 'This file is not JSON. Choose a file created with Export.',
  noSettings: "This file has no 'settings'. Choose a file created with Export.",
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
