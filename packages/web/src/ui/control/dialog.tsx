import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import { Modal } from '@mantine/core'
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import classes from './dialog.module.css'

export interface DialogProps {
  title: string
  opened: boolean
  /** SHELL-22: a command of this dialog is being sent, so it cannot be closed: its outcome would be missed. */
  busy?: boolean
  onClose: () => void
  size?: 'small' | 'medium' | 'large'
  children: ReactNode
}

/**
 * A modal that traps focus, closes on Esc and restores focus. SHELL-23: a form in it that was changed is discarded only
 * after a yes, except by the form's own Cancel button.
 */
export function Dialog({ opened, busy = false, onClose, children, ...rest }: DialogProps) {
  const isChanged = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    if (opened) return
    isChanged.current = false
    setIsAsking(false)
  }, [opened])
  const noteChange = ({ target }: ChangeEvent<HTMLElement>) => {
    if (target.closest('form')) isChanged.current = true
  }
  const requestClose = () => {
    if (isChanged.current) setIsAsking(true)
    else onClose()
  }
  return (
    <Frame {...rest} opened={opened} canClose={!busy && !isAsking} onClose={requestClose}>
      <div className={classes.content} onChange={noteChange}>
        {children}
      </div>
      <Frame
        title="Discard your changes?"
        size="small"
        opened={opened && isAsking}
        canClose
        onClose={() => setIsAsking(false)}
      >
        <DialogActions>
          <Button kind="danger" onClick={onClose}>
            Discard
          </Button>
          <Button data-autofocus onClick={() => setIsAsking(false)}>
            Keep Editing
          </Button>
        </DialogActions>
      </Frame>
    </Frame>
  )
}

interface FrameProps extends Omit<DialogProps, 'busy'> {
  canClose: boolean
}

const WIDTHS = { small: 400, medium: 520, large: 760 }

function Frame({ title, opened, canClose, onClose, size = 'medium', children }: FrameProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={canClose}
      closeOnClickOutside={canClose}
      title={title}
      size={WIDTHS[size]}
      centered
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close', disabled: !canClose }}
      // A <header> here would be a second banner landmark.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{
        content: classes.frame ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
      }}
    >
      {children}
    </Modal>
  )
}

export interface DialogActionsProps {
  children: ReactNode
}

export function DialogActions({ children }: DialogActionsProps) {
  return <div className={classes.actions}>{children}</div>
}
