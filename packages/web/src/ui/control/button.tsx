import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import classes from './button.module.css'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind
  /** A command is pending: the button is disabled and marked as busy for assistive technology. */
  busy?: boolean
}

export function Button({ kind = 'plain', busy = false, type = 'button', disabled, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={kind === 'plain' ? classes.button : `${classes.button} ${classes[kind]}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    />
  )
}

export interface GoButtonProps {
  to: string
  kind?: ButtonKind
  children: ReactNode
}

/** A button that opens another screen; in a new tab with Ctrl or Cmd, as a link does. */
export function GoButton({ to, kind = 'plain', children }: GoButtonProps) {
  const navigate = useNavigate()
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) window.open(to, '_blank', 'noopener')
    else navigate(to)
  }
  return (
    <Button kind={kind} onClick={go}>
      {children}
    </Button>
  )
}
