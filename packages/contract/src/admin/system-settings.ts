import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { PathId } from '#shared.ts'

export const SETTINGS_SECTION_NAMES = ['general', 'notifications', 'security', 'performance'] as const
export type SettingsSectionName = (typeof SETTINGS_SECTION_NAMES)[number]

interface SystemSetting {
  section: SettingsSectionName
  /** Values are text, as in the list of settings. */
  isValid: (value: string) => boolean
  /** What a valid value is: continues 'must be'. */
  words: string
  default: string
  description: string
}

const ON_OFF = choice('true', 'false')

/** Every setting that the server acts on, with its rule and its default. */
export const SYSTEM_SETTINGS = {
  system_name: setting('general', 'Binnacle', 'System Name', line(1, 60)),
  environment: setting(
    'general',
    'Production',
    'Environment: Production, Staging or Development',
    choice('Production', 'Staging', 'Development'),
  ),
  email_notifications: setting('notifications', 'true', 'Notifications by Email', ON_OFF),
  slack_notifications: setting('notifications', 'false', 'Notifications by Slack', ON_OFF),
  sms_notifications: setting('notifications', 'false', 'Notifications by SMS', ON_OFF),
  smtp_host: setting('notifications', '', 'SMTP server', host()),
  smtp_port: setting('notifications', '587', 'Port of the SMTP server', port()),
  smtp_tls: setting(
    'notifications',
    'starttls',
    'Encryption of the connection to the SMTP server',
    choice('starttls', 'tls', 'none'),
  ),
  smtp_user: setting('notifications', '', 'User at the SMTP server', line(0, 200)),
  smtp_password: setting('notifications', '', 'Password at the SMTP server', line(0, 500)),
  email_from: setting('notifications', '', 'Sender of e-mail', mailbox()),
  email_to: setting('notifications', '', 'Receiver of e-mail', mailbox()),
  slack_secret_url: setting('notifications', '', 'Address of the Slack webhook', webAddress()),
  sms_secret_url: setting('notifications', '', 'Address of the SMS gateway', webAddress()),
  sms_token: setting('notifications', '', 'Token for the SMS gateway', line(0, 500)),
  sms_to: setting('notifications', '', 'Phone number for SMS', phone()),
  session_timeout: setting('security', '30', 'Session Timeout in minutes', whole(1, 1440, 'minutes')),
  two_factor_auth: setting('security', 'true', 'Two-Factor Auth', ON_OFF),
  max_concurrent_requests: setting(
    'performance',
    '100',
    'Max Concurrent Requests',
    whole(1, 100_000, 'requests'),
  ),
  cache_ttl: setting('performance', '3600', 'Cache TTL in seconds', whole(0, 604_800, 'seconds')),
} as const satisfies Record<string, SystemSetting>
export type SystemSettingKey = keyof typeof SYSTEM_SETTINGS

export const SYSTEM_SETTING_KEYS = Object.keys(SYSTEM_SETTINGS).filter(isSystemSetting)

export function isSystemSetting(key: string): key is SystemSettingKey {
  return Object.hasOwn(SYSTEM_SETTINGS, key)
}

/** Returns what is wrong with a setting's value; undefined if it is valid. Other settings accept any text (SET-8). */
export function checkSetting(key: string, value: string): string | undefined {
  if (!isSystemSetting(key) || SYSTEM_SETTINGS[key].isValid(value)) return undefined
  return `must be ${SYSTEM_SETTINGS[key].words}`
}

type ValueRule = Pick<SystemSetting, 'isValid' | 'words'>

function setting(
  section: SettingsSectionName,
  standard: string,
  description: string,
  rule: ValueRule,
): SystemSetting {
  return { section, default: standard, description, ...rule }
}

function choice(...values: string[]): ValueRule {
  return { isValid: (value) => values.includes(value), words: `one of ${values.join(', ')}` }
}

function whole(min: number, max: number, unit: string): ValueRule {
  return {
    isValid: (value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
    words: `a whole number of ${unit} from ${min} to ${max}`,
  }
}

function port(): ValueRule {
  const { isValid } = whole(1, 65_535, '')
  return { isValid, words: 'a port from 1 to 65535' }
}

function line(min: number, max: number): ValueRule {
  return {
    isValid: (value) =>
      value.length >= min && value.length <= max && value === value.trim() && !/[\p{Cc}\p{Cf}]/u.test(value),
    words: `one line of ${min} to ${max} characters, without spaces around it`,
  }
}

function host(): ValueRule {
  return {
    isValid: (value) =>
      value.length <= 253 && /^([a-z\d]([a-z\d._-]*[a-z\d])?|[a-f\d:.]*:[a-f\d:.]*)?$/i.test(value),
    words: 'a host name or address such as smtp.example.com',
  }
}

function mailbox(): ValueRule {
  return {
    isValid: (value) =>
      value === '' || (value.length <= 254 && /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(value)),
    words: 'an e-mail address such as desk@example.com',
  }
}

function webAddress(): ValueRule {
  return {
    isValid: (value) => value === '' || /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/.test(value),
    words: 'an address such as https://hooks.example/desk',
  }
}

function phone(): ValueRule {
  return {
    isValid: (value) => value === '' || /^\+\d{6,15}$/.test(value),
    words: 'a number such as +4915112345678',
  }
}

const MAX_VALUE_CHARS = 2000
const MAX_KEY_CHARS = 200
const Values = z.record(z.string().max(MAX_KEY_CHARS), z.string().max(MAX_VALUE_CHARS))

export const SystemSettings = object(() => ({
  version: z.int().describe('Rises with every change; 1 before the first'),
  values: z.record(z.string(), z.string()).describe('By key. A secret that is set reads [masked]'),
})).meta({ id: 'SystemSettings' })
export type SystemSettings = z.output<typeof SystemSettings>

export const SettingDifference = object(() => ({
  key: z.string(),
  before: z.string(),
  after: z.string(),
})).meta({ id: 'SettingDifference' })
export type SettingDifference = z.output<typeof SettingDifference>

export const SettingsVersion = object(() => ({
  version: z.int(),
  at: z.string(),
  actor: z.string(),
  changes: z.array(SettingDifference),
})).meta({ id: 'SettingsVersion' })
export type SettingsVersion = z.output<typeof SettingsVersion>

/** What the header of every screen shows. */
export const SystemIdentity = object(() => ({ system_name: z.string(), environment: z.string() })).meta({
  id: 'SystemIdentity',
})
export type SystemIdentity = z.output<typeof SystemIdentity>

const SETTINGS = { capability: 'settings' } as const

/** The settings that the server acts on. What undoes a setting can never be switched off or refused as too much. */
export const systemSettings = {
  read: adminEndpoint('GET /api/admin/system-settings', {
    summary: 'The settings that the server acts on, by key',
    role: 'admin',
    origin: SETTINGS,
    alwaysOn: true,
    reply: SystemSettings,
  }),
  identity: adminEndpoint('GET /api/admin/system-settings/identity', {
    summary: 'System name and environment, for the header of every screen',
    role: 'viewer',
    origin: SETTINGS,
    reply: SystemIdentity,
  }),
  save: adminEndpoint('PUT /api/admin/system-settings', {
    summary:
      'Change settings, all of them or none; they take effect at once. A secret that is sent as [masked] stays',
    role: 'admin',
    origin: SETTINGS,
    alwaysOn: true,
    body: strictObject(() => ({ values: Values })),
    reply: SystemSettings,
  }),
  reset: adminEndpoint('POST /api/admin/system-settings/reset', {
    summary: 'Set the settings of a section, or all, to their defaults',
    role: 'admin',
    origin: SETTINGS,
    alwaysOn: true,
    body: strictObject(() => ({ section: z.enum(SETTINGS_SECTION_NAMES).optional() })),
    reply: SystemSettings,
  }),
  export: adminEndpoint('GET /api/admin/system-settings/export', {
    summary: 'The settings as a JSON file, without secrets',
    role: 'admin',
    origin: SETTINGS,
    produces: ['application/json'],
    reply: z.string(),
  }),
  import: adminEndpoint('POST /api/admin/system-settings/import', {
    summary:
      'Apply the settings of an exported file, or only say what would change. Unknown and invalid keys are refused, each by its name',
    role: 'admin',
    origin: SETTINGS,
    body: strictObject(() => ({
      settings: z.record(z.string().max(MAX_KEY_CHARS), z.unknown()),
      apply: z.boolean().default(false),
      version: z
        .int()
        .optional()
        .describe('Refused with 412 unless this is still the version, so that what was previewed is applied'),
    })),
    reply: object(() => ({ version: z.int(), changes: z.array(SettingDifference) })),
  }),
  versions: adminEndpoint('GET /api/admin/system-settings/versions', {
    summary: 'Who changed what and when, newest first',
    role: 'admin',
    origin: SETTINGS,
    query: strictObject(() => ({ limit: z.coerce.number<number>().int().min(1).max(200).default(50) })),
    reply: object(() => ({ versions: z.array(SettingsVersion) })),
  }),
  revert: adminEndpoint('POST /api/admin/system-settings/versions/:version/revert', {
    summary: 'Set every setting to what it was in a version; this is a new version',
    role: 'admin',
    origin: SETTINGS,
    alwaysOn: true,
    params: strictObject(() => ({ version: PathId })),
    reply: SystemSettings,
  }),
}
