import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import { MantineProvider, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
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
  useEscape(opened, canClose, onClose)
  return (
    // The theme is set on the page by the app.
    <MantineProvider withCssVariables={false} withGlobalClasses={false} getRootElement={() => undefined}>
      <Modal
        opened={opened}
        onClose={onClose}
        closeOnEscape={false}
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
    </MantineProvider>
  )
}

/** The open dialogs, the one on top last. */
const openDialogs: object[] = []

/**
 * SHELL-50: Esc closes the dialog on top alone. The modal's own handling would also reach the question that the same key
 * opened, since browsers render between two listeners of one event.
 */
function useEscape(opened: boolean, canClose: boolean, onClose: () => void): void {
  const self = useRef({}).current
  const handleKey = useEffectEvent(({ key, isComposing }: KeyboardEvent) => {
    if (key === 'Escape' && !isComposing && canClose && openDialogs.at(-1) === self) onClose()
  })
  useEffect(() => {
    if (!opened) return undefined
    const listener = (event: KeyboardEvent) => handleKey(event)
    openDialogs.push(self)
    window.addEventListener('keydown', listener, { capture: true })
    return () => {
      openDialogs.splice(openDialogs.indexOf(self), 1)
      window.removeEventListener('keydown', listener, { capture: true })
    }
  }, [opened, self])
}
