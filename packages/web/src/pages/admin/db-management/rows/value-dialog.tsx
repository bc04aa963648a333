import { Dialog } from '#ui/control/dialog.tsx'
import classes from './rows-table.module.css'

/** A value of one cell, whole. */
export interface OpenedValue {
  name: string
  text: string
}

export interface ValueDialogProps {
  value: OpenedValue | undefined
  onClose: () => void
}

export function ValueDialog({ value, onClose }: ValueDialogProps) {
  return (
    <Dialog title={value?.name ?? ''} size="large" opened={value !== undefined} onClose={onClose}>
      <pre className={classes.full}>{value?.text}</pre>
    </Dialog>
  )
}
