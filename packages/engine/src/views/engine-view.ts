import { COMPONENT_NAMES, type ComponentName, type ComponentStatus } from '#components/names.ts'
import type { HardState } from '#hard-state.ts'
import { VENUE_IDS, type VenueId } from '#market/instrument.ts'
import type { Seq } from '#values/ids.ts'

export interface ComponentView {
  readonly name: ComponentName
  /** COMP-1: the first three are engines, the others components. */
  readonly type: 'Engine' | 'Component'
  readonly status: ComponentStatus
  readonly reason: string | null
  readonly config: string
}

/** The machine as the dashboards show it. */
export interface EngineView {
  readonly seq: Seq
  /** True when the desk is open and can hear the market and send orders. */
  readonly isRunning: boolean
  readonly components: readonly ComponentView[]
  readonly venues: readonly {
    readonly id: VenueId
    readonly isWanted: boolean
    readonly isConnected: boolean
  }[]
}

/** Returns the machine's state. */
export function viewEngine(state: HardState): EngineView {
  const isRunning = (name: ComponentName) => state.components[name].status === 'running'
  return {
    seq: state.seq,
    isRunning: state.isOpen && isRunning('DataEngine') && isRunning('ExecutionEngine'),
    components: COMPONENT_NAMES.map((name) => ({
      name,
      type: name.endsWith('Engine') ? 'Engine' : 'Component',
      ...state.components[name],
    })),
    venues: VENUE_IDS.map((id) => ({
      id,
      isWanted: state.wanted.has(id),
      isConnected: state.connected.has(id),
    })),
  }
}
