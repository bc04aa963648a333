import classes from './clipped.module.css'

export interface ClippedProps {
  text: string | undefined
}

/** A name of any length in a column: what does not fit is left out, and told by the pointer. */
export function Clipped({ text }: ClippedProps) {
  return (
    <span className={classes.clipped} title={text}>
      {text}
    </span>
  )
}
