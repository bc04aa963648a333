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

export interface DialogFrameProps {
  title: string
  opened: boolean
  canClose: boolean
  onClose: () => void
  size?: 'small' | 'medium' | 'large'
  children: ReactNode
}

const WIDTHS = { small: 400, medium: 520, large: 760 }

/** The modal of a dialog. */
export function DialogFrame({
  title,
  opened,
  canClose,
  onClose,
  size = 'medium',
  children,
}: DialogFrameProps) {
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
