import classes from './progress-line.module.css'

export interface ProgressLineProps {
  title: string
  /** From 0 to 1. */
  progress: number
  /** The current step. */
  message?: string | null | undefined
}

/** Work under way, shown where it was started. No live region: each percent would be read aloud. */
export function ProgressLine({ title, progress, message }: ProgressLineProps) {
  const percent = Math.floor(progress * 100)
  return (
    <div className={classes.line}>
      <span>{title}</span>
      <progress className={classes.bar} aria-label={title} max={100} value={percent} />
      <span className={classes.figure}>{percent}%</span>
      {message && <span>{message}</span>}
    </div>
  )
}
