import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import classes from './dialog.module.css'
import type { DialogFrame, DialogFrameProps } from './dialog-frame.tsx'
import { markLoadFailure } from './load-failures.ts'
import { whenIdle } from './when-idle.ts'

export interface DialogProps extends Omit<DialogFrameProps, 'canClose'> {
  /** SHELL-22: a command of this dialog is being sent, so it cannot be closed: its outcome would be missed. */
  busy?: boolean
}

/**
 * A modal that traps focus, closes on Esc and restores focus. SHELL-23: a form in it that was changed is discarded only
 * after a yes, except by the form's own Cancel button.
 */
export function Dialog({ opened, busy = false, onClose, children, ...rest }: DialogProps) {
  const { Frame, isReady } = useFrame(opened)
  const isChanged = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    if (opened) return
    isChanged.current = false
    setIsAsking(false)
  }, [opened])
  const markChanged = ({ target }: ChangeEvent<HTMLElement>) => {
    if (target.closest('form')) isChanged.current = true
  }
  const requestClose = () => {
    if (isChanged.current) setIsAsking(true)
    else onClose()
  }
  if (Frame === undefined) return null
  return (
    <Frame {...rest} opened={opened && isReady} canClose={!busy && !isAsking} onClose={requestClose}>
      <div className={classes.content} onChange={markChanged}>
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

let loadedFrame: typeof DialogFrame | undefined

/** Loads the code of the modal, which no screen needs for its first paint. */
export async function loadDialogFrame(): Promise<typeof DialogFrame> {
  loadedFrame ??= (await import('./dialog-frame.tsx')).DialogFrame
  return loadedFrame
}

/**
 * The modal, loaded when the browser is idle or the dialog is opened. It begins closed: it returns the focus to what had
 * it when it was opened.
 */
function useFrame(opened: boolean) {
  const [Frame, setFrame] = useState(() => loadedFrame)
  const [isReady, setIsReady] = useState(Frame !== undefined)
  useEffect(() => {
    if (Frame !== undefined) {
      setIsReady(true)
      return undefined
    }
    const load = () =>
      loadDialogFrame().then(
        (loaded) => setFrame(() => loaded),
        // A dialog that cannot open fails its screen, which offers to load the page again.
        (error: unknown) => {
          if (!opened) return
          markLoadFailure(error)
          setFrame(() => {
            throw error
          })
        },
      )
    if (!opened) return whenIdle(load)
    void load()
    return undefined
  }, [Frame, opened])
  return { Frame, isReady }
}

export interface DialogActionsProps {
  children: ReactNode
}

export function DialogActions({ children }: DialogActionsProps) {
  return <div className={classes.actions}>{children}</div>
}
