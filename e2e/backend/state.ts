import type {
  AdminUser,
  ApiConfig,
  ApiRoute,
  ApiService,
  Backup,
  Component,
  Connection,
  EngineInfo,
  HistoryItem,
  Id,
  Order,
  Position,
  RiskLimits,
  RiskMetrics,
  Setting,
  Strategy,
  Table,
} from './entities.ts'

/** What one connection leads to. */
export interface Store {
  tables: Table[]
  history: HistoryItem[]
  backups: Backup[]
}

/** Everything the backend knows. A test may change it at any time; the next call sees it. */
export interface State {
  engine: EngineInfo
  components: Component[]
  instruments: { id: string; symbol: string }[]
  metrics: RiskMetrics
  limits: RiskLimits
  strategies: Strategy[]
  orders: Order[]
  positions: Position[]
  settings: Setting[]
  users: AdminUser[]
  configs: ApiConfig[]
  services: ApiService[]
  routes: ApiRoute[]
  connections: Connection[]
  stores: Map<string, Store>
}

/** Where the seeded API services live. */
export interface Addresses {
  /** The backend's own origin. */
  origin: string
  /** An origin that refuses every connection. */
  deadOrigin: string
}

export function storeOf(state: State, connection: Id): Store {
  const key = String(connection)
  const store = state.stores.get(key) ?? { tables: [], history: [], backups: [] }
  state.stores.set(key, store)
  return store
}
