import { lazy } from 'react'
import { TextAreaField } from '#ui/control/field.tsx'
import type { SqlEditorProps } from '#ui/sql/sql-editor.tsx'

/** The editor weighs more than the rest of the screen, so it comes when it is first needed. */
export const LazySqlEditor = lazy(() =>
  import('#ui/sql/sql-editor.tsx').then(
    ({ SqlEditor }) => ({ default: SqlEditor }),
    // A server that went away since must not take the statement with it.
    () => ({ default: PlainEditor }),
  ),
)

function PlainEditor({ label, value, onChange }: SqlEditorProps) {
  return (
    <TextAreaField label={label} labelHidden value={value} onChange={onChange} rows={6} spellCheck={false} />
  )
}
