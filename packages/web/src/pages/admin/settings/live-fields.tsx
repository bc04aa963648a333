import type { ReactNode } from 'react'
import type { ChannelName } from '#data/system-settings.ts'
import { ENVIRONMENTS, type SettingsSection } from '#ports/controls.ts'
import { SelectField, SwitchField, TextField, type TextFieldProps } from '#ui/control/field.tsx'
import { copy, live } from './copy.ts'
import classes from './live-fields.module.css'

/** The settings by key, as typed. */
export type SettingTexts = Readonly<Record<string, string>>

export interface SettingField {
  key: string
  label: string
  kind: 'text' | 'number' | 'switch' | 'choice' | 'secret'
  options?: readonly { value: string; label: string }[]
  hint?: string
}

const environments = ENVIRONMENTS.map((name) => ({ value: name, label: name }))

/** The fields of the specification under the names of the server. */
export const LIVE_FIELDS: Readonly<Record<SettingsSection, readonly SettingField[]>> = {
  general: [
    { key: 'system_name', label: copy.fields.systemName, kind: 'text', hint: live.hints.systemName },
    {
      key: 'environment',
      label: copy.fields.environment,
      kind: 'choice',
      options: environments,
      hint: live.hints.environment,
    },
  ],
  notifications: [
    { key: 'email_notifications', label: copy.fields.email, kind: 'switch' },
    { key: 'slack_notifications', label: copy.fields.slack, kind: 'switch' },
    { key: 'sms_notifications', label: copy.fields.sms, kind: 'switch' },
  ],
  security: [
    {
      key: 'session_timeout',
      label: copy.fields.sessionTimeoutMin,
      kind: 'number',
      hint: live.noEffect,
    },
    { key: 'two_factor_auth', label: copy.fields.twoFactorAuth, kind: 'switch', hint: live.noEffect },
  ],
  performance: [
    {
      key: 'max_concurrent_requests',
      label: copy.fields.maxConcurrentRequests,
      kind: 'number',
      hint: live.hints.maxConcurrentRequests,
    },
    { key: 'cache_ttl', label: copy.fields.cacheTtlS, kind: 'number', hint: live.hints.cacheTtl },
  ],
}

/** The label of a setting on this screen; its key if it has none. */
export function labelOf(key: string): string {
  const fields = [...Object.values(LIVE_FIELDS), ...Object.values(CHANNEL_FIELDS)].flat()
  return fields.find((field) => field.key === key)?.label ?? key
}

/** What each channel needs beside its switch. */
export const CHANNEL_FIELDS: Readonly<Record<ChannelName, readonly SettingField[]>> = {
  email: [
    { key: 'smtp_host', label: 'SMTP server', kind: 'text' },
    { key: 'smtp_port', label: 'Port', kind: 'number' },
    { key: 'smtp_tls', label: 'Encryption', kind: 'choice', options: live.encryption },
    { key: 'smtp_user', label: 'User', kind: 'text' },
    { key: 'smtp_password', label: 'Password', kind: 'secret' },
    { key: 'email_from', label: 'From', kind: 'text' },
    { key: 'email_to', label: 'To', kind: 'text' },
  ],
  slack: [{ key: 'slack_secret_url', label: 'Slack webhook address', kind: 'secret' }],
  sms: [
    { key: 'sms_secret_url', label: 'SMS gateway address', kind: 'secret' },
    { key: 'sms_token', label: 'SMS gateway token', kind: 'secret' },
    { key: 'sms_to', label: 'Phone number', kind: 'text' },
  ],
}

/** The keys of a section, those of its channels included. */
export function keysOf(section: SettingsSection): readonly string[] {
  const channels = section === 'notifications' ? Object.values(CHANNEL_FIELDS).flat() : []
  return [...LIVE_FIELDS[section], ...channels].map(({ key }) => key)
}

export interface LiveFieldsProps {
  fields: readonly SettingField[]
  texts: SettingTexts
  /** Why values were refused, by key. */
  errors: SettingTexts
  /** The stored value of an edited field that was changed meanwhile. */
  conflictNote: (key: string) => string | undefined
  onChange: (texts: SettingTexts) => void
}

export function LiveFields({ fields, texts, errors, conflictNote, onChange }: LiveFieldsProps) {
  return fields.map((field) => (
    <LiveField
      key={field.key}
      field={field}
      value={texts[field.key] ?? ''}
      error={errors[field.key]}
      note={conflictNote(field.key)}
      onChange={(text) => onChange({ ...texts, [field.key]: text })}
    />
  ))
}

interface LiveFieldProps {
  field: SettingField
  value: string
  error: string | undefined
  note: string | undefined
  onChange: (text: string) => void
}

function LiveField({ field, value, error, note, onChange }: LiveFieldProps): ReactNode {
  const { label, kind, options = [] } = field
  const hint = note ?? field.hint
  if (kind === 'switch') {
    return (
      <div>
        <SwitchField
          label={label}
          checked={value === 'true'}
          onChange={(isOn) => onChange(isOn ? 'true' : 'false')}
        />
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      </div>
    )
  }
  const shown = { label, value, error, hint, onChange }
  if (kind === 'choice') return <SelectField {...shown} options={options} />
  if (kind === 'secret') return <SecretField {...shown} />
  return <TextField {...shown} inputMode={kind === 'number' ? 'numeric' : 'text'} />
}

/** What the server sends in place of a stored secret. */
const MASKED = '[masked]'

function SecretField({
  value,
  hint,
  ...shown
}: Pick<TextFieldProps, 'label' | 'value' | 'error' | 'hint' | 'onChange'>) {
  const isStored = value === MASKED
  return (
    <TextField
      {...shown}
      type="password"
      autoComplete="off"
      value={isStored ? '' : value}
      hint={isStored ? live.secretStored : hint}
    />
  )
}
