import { COMPONENT_NAMES, type ComponentStatus } from '#model/component.ts'
import {
  type AccountKind,
  FEATURE_NAMES,
  type FeatureName,
  SERVICE_NAMES,
  type ServiceName,
} from '#model/feature.ts'
import { VENUE_IDS, type VenueId } from '#model/instrument.ts'
import type { Conflict } from '#model/reasons.ts'
import { isAvailable } from '#state/components.ts'
import { accountOf, findFeatureConflict } from '#state/features.ts'
import type { HardState } from '#state/hard-state.ts'
import type { Seq } from '#values/ids.ts'

export interface ComponentView {
  /** One of ours, or one of another engine's own. */
  readonly name: string
  /** COMP-1: the first three are engines, the others components. */
  readonly type: 'Engine' | 'Component'
  readonly status: ComponentStatus
  readonly reason: string | null
  readonly config: string
}

/** The engine as the dashboards show it. */
export interface EngineView {
  readonly seq: Seq
  /** What another engine than the embedded one calls itself. */
  readonly identity?: {
    readonly type: string
    readonly traderId: string
    readonly status: string
    /** Why it takes no commands from this console although its views are current, or null. */
    readonly readOnlyBecause: string | null
  }
  /** True when the desk is open, receives market data and can send orders. */
  readonly isRunning: boolean
  readonly components: readonly ComponentView[]
  readonly features: readonly {
    readonly name: FeatureName
    readonly isEnabled: boolean
    /** Why it cannot be switched now, or null. */
    readonly conflict: Conflict | null
  }[]
  readonly services: readonly { readonly name: ServiceName; readonly isRunning: boolean }[]
  /** The account that orders trade for. */
  readonly account: AccountKind
  readonly venues: readonly {
    readonly id: VenueId
    readonly isWanted: boolean
    readonly isConnected: boolean
  }[]
}

/** Returns the engine's state. */
export function viewEngine(state: HardState): EngineView {
  const { components } = state
  return {
    seq: state.seq,
    isRunning: state.isOpen && isAvailable(components, 'marketData') && isAvailable(components, 'order'),
    components: COMPONENT_NAMES.map((name) => ({
      name,
      type: name.endsWith('Engine') ? 'Engine' : 'Component',
      ...components[name],
    })),
    features: FEATURE_NAMES.map((name) => ({
      name,
      isEnabled: state.features[name],
      conflict: findFeatureConflict(state, name, !state.features[name]),
    })),
    services: SERVICE_NAMES.map((name) => ({ name, isRunning: state.services[name] })),
    account: accountOf(state.features),
    venues: VENUE_IDS.map((id) => ({
      id,
      isWanted: state.wanted.has(id),
      isConnected: state.connected.has(id),
    })),
  }
}
