import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'

export interface DialogProps {
  title: string
  opened: boolean
  onClose: () => void
  size?: 'small' | 'medium' | 'large'
  children: ReactNode
}

const WIDTHS = { small: 400, medium: 520, large: 760 }

/** A modal that traps focus, closes on Esc and gives focus back to where it was. */
export function Dialog({ title, opened, onClose, size = 'medium', children }: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={WIDTHS[size]}
      centered
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // A header of its own would be a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{
        content: classes.content ?? '',
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
