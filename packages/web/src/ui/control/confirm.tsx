import { type ReactNode, useCallback, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export interface Confirmation {
  question: string
  /** The target and the consequence. */
  detail?: ReactNode
  /** The verb on the first button, which alone runs `onConfirm`. */
  action: string
  /** The second button, where 'Cancel' could be read as the action. */
  dismiss?: string
  onConfirm: () => void
  /** A milder action, offered as a button of its own. */
  alternative?: { action: string; onConfirm: () => void }
}

export interface Confirm {
  ask: (confirmation: Confirmation) => void
  dialog: ReactNode
}

/** SHELL-14: Esc and the second button change nothing. */
export function useConfirm(): Confirm {
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const close = () => setConfirmation(undefined)
  const ask = useCallback((next: Confirmation) => setConfirmation(next), [])
  const dialog = (
    <Dialog
      title={confirmation?.question ?? ''}
      size="small"
      opened={confirmation !== undefined}
      onClose={close}
    >
      {confirmation?.detail !== undefined && <div>{confirmation.detail}</div>}
      <DialogActions>
        <Button
          kind="primary"
          onClick={() => {
            confirmation?.onConfirm()
            close()
          }}
        >
          {confirmation?.action}
        </Button>
        {confirmation?.alternative && (
          <Button
            onClick={() => {
              confirmation.alternative?.onConfirm()
              close()
            }}
          >
            {confirmation.alternative.action}
          </Button>
        )}
        <Button data-autofocus onClick={close}>
          {confirmation?.dismiss ?? 'Cancel'}
        </Button>
      </DialogActions>
    </Dialog>
  )
  return { ask, dialog }
}
