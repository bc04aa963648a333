import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRootMark } from '#ui/look/root-mark.ts'
import classes from './drawer.module.css'

export interface DrawerProps {
  title: string
  icon?: ReactNode
  /** Below the content, always in sight. */
  footer?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A drawer of a page, docked in the shell as the shell's own are; those, the emergency control first, stay above it. */
export function PageDrawer(props: DrawerProps) {
  // The server renders without it (0021).
  if (typeof document === 'undefined') return null
  const shell = document.getElementById('content')?.parentElement
  const drawer = <Drawer {...props} isOfPage />
  return shell ? createPortal(drawer, shell) : drawer
}

/**
 * A panel beside the work: docked from 1200 px on, so that the screen stays usable; over it below that, and on a phone
 * a sheet under the header. Not modal. Esc closes it while the focus is inside, and the focus goes back.
 */
export function Drawer(props: DrawerProps & { isOfPage?: boolean }) {
  const { title, icon, footer, onClose, children, isOfPage } = props
  const titleId = useId()
  const frame = useRef<HTMLElement>(null)
  useRootMark('drawer')
  useEffect(() => {
    const opener = document.activeElement
    frame.current?.focus()
    return () => {
      const isFocusLost = document.activeElement === null || document.activeElement === document.body
      if (isFocusLost && opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <aside
      ref={frame}
      className={classes.drawer}
      data-of-page={isOfPage}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <header className={classes.head}>
        {icon}
        <h2 id={titleId}>{title}</h2>
        <kbd className={classes.key}>Esc</kbd>
        <button type="button" className={classes.close} aria-label={`Close ${title}`} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </button>
      </header>
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <footer className={classes.foot}>{footer}</footer>}
    </aside>
  )
}
