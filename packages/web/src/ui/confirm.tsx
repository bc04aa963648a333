import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface Question {
  sentence: string
  onYes: () => void
}

export interface Confirm {
  /** Asks the sentence; only Confirm acts, Esc and Cancel change nothing. */
  ask: (sentence: string, onYes: () => void) => void
  dialog: ReactNode
}

export function useConfirm(): Confirm {
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)
  const ask = (sentence: string, onYes: () => void) => setQuestion({ sentence, onYes })
  const dialog = (
    <Dialog title="Please confirm" size="small" opened={question !== undefined} onClose={close}>
      <p>{question?.sentence}</p>
      <DialogActions>
        <Button
          kind="primary"
          onClick={() => {
            question?.onYes()
            close()
          }}
        >
          Confirm
        </Button>
        <Button onClick={close}>Cancel</Button>
      </DialogActions>
    </Dialog>
  )
  return { ask, dialog }
}
