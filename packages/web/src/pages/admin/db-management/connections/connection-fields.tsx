import { useState } from 'react'
import { copy } from '#pages/admin/db-management/copy.ts'
import { Button } from '#ui/control/button.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import classes from './connections.module.css'
import type { FieldErrors } from './field-errors.ts'

interface ConnectionTarget {
  databaseName: string
  connectionString: string
}

export interface TargetFieldsProps {
  type: string
  draft: ConnectionTarget
  /** Shown below the connection string. */
  hint: string
  errors: FieldErrors
  onChange: (part: Partial<ConnectionTarget>) => void
}

/** Database name and connection string, shared by the add and the edit form. */
export function TargetFields({ type, draft, hint, errors, onChange }: TargetFieldsProps) {
  const [isRevealed, setIsRevealed] = useState(false)
  const isSecret = SECRET_TYPES.includes(type)
  return (
    <>
      <TextField
        label={copy.add.databaseName}
        value={draft.databaseName}
        error={errors.database_name}
        spellCheck={false}
        onChange={(databaseName) => onChange({ databaseName })}
      />
      <div className={classes.secret}>
        <TextField
          label={copy.add.connectionString}
          hint={hint}
          error={errors.connection_string}
          type={isSecret && !isRevealed ? 'password' : 'text'}
          value={draft.connectionString}
          spellCheck={false}
          autoComplete={isSecret ? 'new-password' : 'off'}
          onChange={(connectionString) => onChange({ connectionString })}
        />
        {isSecret && (
          <Button onClick={() => setIsRevealed(!isRevealed)}>
            {isRevealed ? copy.add.hide : copy.add.reveal}
          </Button>
        )}
      </div>
    </>
  )
}

/** DB-30: their connection string may contain a password; the other types take a path. */
const SECRET_TYPES: readonly string[] = ['postgresql', 'redis']

export interface WritableFieldProps {
  type: string
  checked: boolean
  onChange: (isWritable: boolean) => void
}

/** DB-27: Parquet connections are always read-only, so there is no switch. */
export function WritableField({ type, checked, onChange }: WritableFieldProps) {
  if (type === 'parquet') return <p className={classes.hint}>{copy.add.neverWritable}</p>
  return (
    <div>
      <SwitchField label={copy.add.writable} checked={checked} onChange={onChange} />
      <p className={classes.hint}>{copy.add.writableHint}</p>
    </div>
  )
}

export interface PrivilegedRoleFieldProps {
  type: string
  isWritable: boolean
  checked: boolean
  onChange: (acceptsPrivilegedRole: boolean) => void
}

/** STORE-28: only a read-only PostgreSQL connection is refused for its role. */
export function PrivilegedRoleField({ type, isWritable, checked, onChange }: PrivilegedRoleFieldProps) {
  if (type !== 'postgresql' || isWritable) return null
  return (
    <div>
      <SwitchField label={copy.add.privilegedRole} checked={checked} onChange={onChange} />
      <p className={classes.hint}>{copy.add.privilegedRoleHint}</p>
    </div>
  )
}
