import { useQuery } from '@tanstack/react-query'
import { componentDetailQueries } from '#data/component-details.ts'
import { useStoppedComponents } from '#data/engine.ts'
import classes from './component-details.module.css'
import { impactOf } from './component-impact.ts'
import { copy } from './copy.ts'

export interface ImpactListProps {
  action: 'stop' | 'restart'
  /** Undefined for all components. */
  componentId: string | undefined
}

/** COMP-17: beside the consequence, what it means now in numbers. Nothing where the engine does not count. */
export function ImpactList({ action, componentId }: ImpactListProps) {
  const { data } = useQuery(componentDetailQueries.read())
  const stopped = useStoppedComponents().map(({ id }) => String(id))
  if (data?.affected === undefined) return null
  const impacts = impactOf(action, componentId, data.affected, stopped)
  return (
    <>
      <p className={classes.title}>{copy.impact}</p>
      <ul className={classes.impacts} aria-label={copy.impact}>
        {impacts.length === 0 && <li>{copy.noImpact}</li>}
        {impacts.map(({ isHarm, text }) => (
          <li key={text} data-harm={isHarm || undefined}>
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
