import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import classes from './button.module.css'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind
  /** Work under way: the button stays in place, says so to assistive technology and takes no second click. */
  busy?: boolean
}

export function Button({ kind = 'plain', busy = false, type = 'button', disabled, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`${classes.button} ${classes[kind]}`}
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

/** A button that leads to another screen; with Ctrl or Cmd held, in a new tab as a link would. */
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
