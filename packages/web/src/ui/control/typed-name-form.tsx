import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'
import { TextField } from './field.tsx'

export interface TypedNameFormProps {
  /** What will happen. */
  children: ReactNode
  /** The name to be typed. */
  name: string
  words: { label: string; action: string; dismiss: string }
  onConfirm: (typed: string) => void
  onClose: () => void
}

/** Confirms a destructive action by typing the name of what it destroys. */
export function TypedNameForm({ children, name, words, onConfirm, onClose }: TypedNameFormProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed === name) onConfirm(typed)
  }
  return (
    <form onSubmit={submit}>
      {children}
      <TextField
        label={words.label}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={setTyped}
      />
      <DialogActions>
        <Button type="submit" kind="danger" disabled={typed !== name}>
          {words.action}
        </Button>
        <Button onClick={onClose}>{words.dismiss}</Button>
      </DialogActions>
    </form>
  )
}
