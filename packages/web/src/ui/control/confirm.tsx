import { type ReactNode, useCallback, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface Question {
  sentence: string
  onYes: () => void
  detail?: ReactNode
}

export interface Confirm {
  /** Asks the sentence; only Confirm acts, Esc and Cancel change nothing. The detail says what it is about. */
  ask: (sentence: string, onYes: () => void, detail?: ReactNode) => void
  dialog: ReactNode
}

export function useConfirm(): Confirm {
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)
  const ask = useCallback<Confirm['ask']>(
    (sentence, onYes, detail) => setQuestion({ sentence, onYes, detail }),
    [],
  )
  const dialog = (
    <Dialog title="Please confirm" size="small" opened={question !== undefined} onClose={close}>
      <p>{question?.sentence}</p>
      {question?.detail !== undefined && <div>{question.detail}</div>}
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
