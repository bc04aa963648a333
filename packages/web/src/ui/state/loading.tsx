import classes from './loading.module.css'

export interface LoadingProps {
  text: string
  /** The number of placeholder lines. */
  lines?: number
  /** Without a frame, for use inside a card. */
  bare?: boolean
  /** The height in pixels of what takes its place, so that nothing below moves. */
  height?: number
}

const WIDTHS = ['92%', '81%', '70%', '59%', '48%', '37%']

export function Loading({ text, lines = 4, bare = false, height }: LoadingProps) {
  return (
    <div
      className={classes.loading}
      data-bare={bare || undefined}
      style={{ minHeight: height }}
      role="status"
    >
      <p>{text}</p>
      {WIDTHS.slice(0, lines).map((width) => (
        <i key={width} className={classes.line} style={{ width }} />
      ))}
    </div>
  )
}
