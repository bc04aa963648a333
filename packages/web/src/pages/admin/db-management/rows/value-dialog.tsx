import { Dialog } from '#ui/control/dialog.tsx'
import classes from './rows-table.module.css'

/** The complete value of one cell. */
export interface CellDetails {
  name: string
  text: string
}

export interface ValueDialogProps {
  value: CellDetails | undefined
  onClose: () => void
}

export function ValueDialog({ value, onClose }: ValueDialogProps) {
  return (
    <Dialog title={value?.name ?? ''} size="large" opened={value !== undefined} onClose={onClose}>
      <pre className={classes.full}>{value?.text}</pre>
    </Dialog>
  )
}
