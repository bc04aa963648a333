import type { NameConfirmation } from '#data/databases/queries.ts'
import { Dialog } from '#ui/control/dialog.tsx'
import { TypedNameForm } from '#ui/control/typed-name-form.tsx'
import { copy } from './copy.ts'

export interface ConfirmStatementProps {
  confirmation: NameConfirmation | undefined
  onConfirm: (typed: string) => void
  onClose: () => void
}

const WORDS = { label: copy.confirm.name, action: copy.confirm.submit, dismiss: copy.confirm.cancel }

/** STORE-4: a destructive statement runs only after the table name is typed. */
export function ConfirmStatement({ confirmation, onConfirm, onClose }: ConfirmStatementProps) {
  return (
    <Dialog title={copy.confirm.title} size="small" opened={confirmation !== undefined} onClose={onClose}>
      {confirmation && (
        <TypedNameForm name={confirmation.name} words={WORDS} onConfirm={onConfirm} onClose={onClose}>
          <p>{confirmation.sentence}</p>
        </TypedNameForm>
      )}
    </Dialog>
  )
}
