import classes from './clipped-text.module.css'

export interface ClippedTextProps {
  text: string | undefined
}

/** Text cut to the column's width; the full text is in the tooltip. */
export function ClippedText({ text }: ClippedTextProps) {
  return (
    <span className={classes.clipped} title={text}>
      {text}
    </span>
  )
}
