import classes from './compass.module.css'

const BEARINGS = Array.from({ length: 24 }, (_, step) => step * 15)

/** Decoration. */
export function Compass() {
  return (
    <svg className={classes.compass} viewBox="0 0 200 200" aria-hidden>
      <circle cx="100" cy="100" r="94" />
      <circle cx="100" cy="100" r="70" className={classes.faint} />
      {BEARINGS.map((bearing) => (
        <path
          key={bearing}
          d={bearing % 90 === 0 ? 'M100 8v20' : 'M100 10v10'}
          transform={`rotate(${bearing} 100 100)`}
          className={bearing % 90 === 0 ? undefined : classes.faint}
        />
      ))}
      <path d="M100 40 109 100 100 160 91 100Z" className={classes.needle} />
      <path d="M40 100 100 93 160 100 100 107Z" className={classes.cross} />
    </svg>
  )
}
