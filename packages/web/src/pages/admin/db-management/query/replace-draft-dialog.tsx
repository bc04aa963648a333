import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { copy } from './copy.ts'
import classes from './query-page.module.css'

export interface ReplaceDraftDialogProps {
  /** The query that would replace the text of the editor. */
  query: string | undefined
  onReplace: () => void
  onClose: () => void
}

/** DB-29: typed SQL that is stored nowhere else is replaced only after a yes. */
export function ReplaceDraftDialog({ query, onReplace, onClose }: ReplaceDraftDialogProps) {
  return (
    <Dialog title={copy.replace.question} size="small" opened={query !== undefined} onClose={onClose}>
      <p>{copy.replace.detail}</p>
      <pre className={classes.preview}>{query}</pre>
      <DialogActions>
        <Button kind="primary" onClick={onReplace}>
          {copy.replace.action}
        </Button>
        <Button onClick={onClose}>{copy.replace.cancel}</Button>
      </DialogActions>
    </Dialog>
  )
}
