import { type ReactNode, useCallback, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface Question {
  sentence: string
  onYes: () => void
  detail?: ReactNode
  no?: string | undefined
}

export interface Confirm {
  /**
   * Asks the sentence; only Confirm acts, Esc and the second button change nothing. The detail says what it is about,
   * and `no` is for a question in which 'Cancel' could be taken for a yes.
   */
  ask: (sentence: string, onYes: () => void, detail?: ReactNode, no?: string) => void
  dialog: ReactNode
}

export function useConfirm(): Confirm {
  const [question, setQuestion] = useState<Question>()
  const close = () => setQuestion(undefined)
  const ask = useCallback<Confirm['ask']>(
    (sentence, onYes, detail, no) => setQuestion({ sentence, onYes, detail, no }),
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
        <Button onClick={close}>{question?.no ?? 'Cancel'}</Button>
      </DialogActions>
    </Dialog>
  )
  return { ask, dialog }
}
