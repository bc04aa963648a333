import { Toaster, useSonner } from 'sonner'
import { useTheme } from '#state/theme.ts'
import { TOAST_MS } from '#state/toasts.ts'
import { useRootMark } from '#ui/look/root-mark.ts'
import classes from './console-toaster.module.css'

/** TOAST: three visible, 14 px apart, 356 px wide, each with a close button. */
const VISIBLE_TOASTS = 3
const GAP_PX = 14

export function ConsoleToaster() {
  useRootMark('toast', useSonner().toasts.length > 0)
  return (
    <Toaster
      theme={useTheme()}
      className={classes.toaster ?? ''}
      duration={TOAST_MS}
      visibleToasts={VISIBLE_TOASTS}
      gap={GAP_PX}
      closeButton
      richColors
      position="bottom-right"
      mobileOffset={{ bottom: 70 }}
    />
  )
}
