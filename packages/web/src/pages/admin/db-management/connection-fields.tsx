import { SwitchField, TextField } from '#ui/control/field.tsx'
import classes from './add-connection-dialog.module.css'
import { copy } from './copy.ts'

interface Place {
  databaseName: string
  connectionString: string
}

export interface PlaceFieldsProps {
  draft: Place
  /** What the connection string looks like, or that it may be left out. */
  hint: string
  onPut: (part: Partial<Place>) => void
}

/** Where a store is, in the form of a new connection and of one that is edited. */
export function PlaceFields({ draft, hint, onPut }: PlaceFieldsProps) {
  return (
    <>
      <TextField
        label={copy.add.databaseName}
        value={draft.databaseName}
        spellCheck={false}
        onChange={(databaseName) => onPut({ databaseName })}
      />
      <TextField
        label={copy.add.connectionString}
        hint={hint}
        value={draft.connectionString}
        spellCheck={false}
        autoComplete="off"
        onChange={(connectionString) => onPut({ connectionString })}
      />
    </>
  )
}

export interface WritableFieldProps {
  type: string
  checked: boolean
  onChange: (isWritable: boolean) => void
}

/** DB-27: Parquet files are only ever read, so nobody is asked about them. */
export function WritableField({ type, checked, onChange }: WritableFieldProps) {
  if (type === 'parquet') return <p className={classes.hint}>{copy.add.neverWritable}</p>
  return (
    <div>
      <SwitchField label={copy.add.writable} checked={checked} onChange={onChange} />
      <p className={classes.hint}>{copy.add.writableHint}</p>
    </div>
  )
}
