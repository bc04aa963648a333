import type { ComponentDetail } from '@binnacle/contract'
import type { ComponentEntry } from '#ports/controls.ts'
import { Card } from '#ui/frame/card.tsx'
import classes from './component-flow.module.css'
import { details as words } from './details-copy.ts'

export interface ComponentFlowProps {
  components: readonly ComponentEntry[]
  details: readonly ComponentDetail[]
  /** Undefined where the engine does not count them. */
  runningStrategies: number | undefined
  selectedId: string
  onSelect: (id: string) => void
}

type Step = { id: string } | EndProps

const { flow } = words

/** COMP-16: the way of ticks and orders through the components, from venue to venue and to the screens. */
export function ComponentFlow(props: ComponentFlowProps) {
  const strategies = props.runningStrategies
  const steps: readonly (Step & { place: string })[] = [
    { place: 'venues-in', text: flow.venues, note: flow.inputs },
    { place: 'data', id: 'DataEngine' },
    { place: 'bus', id: 'MessageBus' },
    {
      place: 'strategies',
      text: flow.strategies,
      note: strategies === undefined ? '—' : flow.running(strategies),
      isBoxed: true,
    },
    { place: 'risk', id: 'RiskEngine' },
    { place: 'execution', id: 'ExecutionEngine' },
    { place: 'venues-out', text: flow.venues, note: flow.orders },
    { place: 'portfolio', id: 'Portfolio' },
    { place: 'cache', id: 'Cache' },
    { place: 'screens', text: flow.screens, note: flow.outputs },
  ]
  return (
    <Card title={flow.title} aside={flow.scope}>
      <div className={classes.flow}>
        {steps.map((step) => (
          <div key={step.place} className={classes.step} data-place={step.place}>
            {'id' in step ? <ComponentStep id={step.id} {...props} /> : <End {...step} />}
          </div>
        ))}
      </div>
      <p className={classes.note}>{flow.note}</p>
    </Card>
  )
}

function ComponentStep({
  id,
  components,
  details,
  selectedId,
  onSelect,
}: ComponentFlowProps & Step & { id: string }) {
  const component = components.find((each) => each.id === id)
  const throughput = details.find((each) => each.id === id)?.throughput
  const isDown = component !== undefined && component.status !== 'running'
  return (
    <button
      type="button"
      className={classes.box}
      aria-pressed={id === selectedId}
      data-down={isDown || undefined}
      onClick={() => onSelect(id)}
    >
      <b>{id}</b> <small>{isDown ? component.status : rateOf(throughput)}</small>
    </button>
  )
}

function rateOf(throughput: ComponentDetail['throughput'] | undefined): string {
  return throughput === null || throughput === undefined ? '—' : words.rate(throughput.value, throughput.unit)
}

interface EndProps {
  text: string
  note: string
  isBoxed?: boolean
}

/** What is not a component: the ends of the flow, and the strategies. */
function End({ text, note, isBoxed }: EndProps) {
  return (
    <span className={classes.end} data-boxed={isBoxed}>
      <b>{text}</b>
      <small>{note}</small>
    </span>
  )
}
