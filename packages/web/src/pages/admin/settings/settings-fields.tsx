import type { ReactNode } from 'react'
import { ENVIRONMENTS, type SettingsForm, type SettingsSection } from '#ports/controls.ts'
import { SelectField, SwitchField, TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'

interface SettingsFieldsProps {
  form: SettingsForm
  onChange: (changed: Partial<SettingsForm>) => void
}

const environments = ENVIRONMENTS.map((name) => ({ value: name, label: name }))

export interface SectionFieldsProps extends SettingsFieldsProps {
  section: SettingsSection
}

/** SET-7: no field is validated; values stay as typed. */
export function SectionFields({ section, ...rest }: SectionFieldsProps) {
  const Fields = fieldsOf[section]
  return <Fields {...rest} />
}

const fieldsOf: Record<SettingsSection, (props: SettingsFieldsProps) => ReactNode> = {
  general: GeneralFields,
  notifications: NotificationFields,
  security: SecurityFields,
  performance: PerformanceFields,
}

function GeneralFields({ form, onChange }: SettingsFieldsProps) {
  return (
    <>
      <TextField
        label={copy.fields.systemName}
        value={form.systemName}
        onChange={(systemName) => onChange({ systemName })}
      />
      <SelectField
        label={copy.fields.environment}
        value={form.environment}
        options={environments}
        onChange={(environment) => onChange({ environment })}
      />
    </>
  )
}

function NotificationFields({ form, onChange }: SettingsFieldsProps) {
  return (
    <>
      <SwitchField label={copy.fields.email} checked={form.email} onChange={(email) => onChange({ email })} />
      <SwitchField label={copy.fields.slack} checked={form.slack} onChange={(slack) => onChange({ slack })} />
      <SwitchField label={copy.fields.sms} checked={form.sms} onChange={(sms) => onChange({ sms })} />
    </>
  )
}

function SecurityFields({ form, onChange }: SettingsFieldsProps) {
  return (
    <>
      <TextField
        label={copy.fields.sessionTimeoutMin}
        type="number"
        value={form.sessionTimeoutMin}
        onChange={(sessionTimeoutMin) => onChange({ sessionTimeoutMin })}
      />
      <SwitchField
        label={copy.fields.twoFactorAuth}
        checked={form.twoFactorAuth}
        onChange={(twoFactorAuth) => onChange({ twoFactorAuth })}
      />
    </>
  )
}

function PerformanceFields({ form, onChange }: SettingsFieldsProps) {
  return (
    <>
      <TextField
        label={copy.fields.maxConcurrentRequests}
        type="number"
        value={form.maxConcurrentRequests}
        onChange={(maxConcurrentRequests) => onChange({ maxConcurrentRequests })}
      />
      <TextField
        label={copy.fields.cacheTtlS}
        type="number"
        value={form.cacheTtlS}
        onChange={(cacheTtlS) => onChange({ cacheTtlS })}
      />
    </>
  )
}
