/** The entities of the specification's section 3, as they travel. */
export type Id = string | number
type Flag = 0 | 1 | boolean

export interface EngineInfo {
  trader_id: string
  engine_type: string
  status: string
  is_running: boolean
  strategies_count: number
}

export interface Component {
  id: Id
  name: string
  type: string
  status: string
}

export interface RiskMetrics {
  total_exposure: number
  margin_used: number
  margin_available: number
  max_drawdown: number
  var_1d: number | null
  position_count: number
}

export interface RiskLimits {
  max_order_size: number
  max_position_size: number
  max_daily_loss: number
  max_positions: number
}

export interface Strategy {
  id: Id
  name: string
  type: string
  description: string
  config: Record<string, unknown>
  status: string
  performance: { total_pnl: number; total_trades: number; win_rate: number }
}

export interface Order {
  id: Id
  instrument: string
  side: string
  type: string
  quantity: number
  price: number | null
  filled_qty: number
  status: string
}

export interface Position {
  id: Id
  instrument: string
  side: string
  quantity: number
  entry_price: number
  current_price: number
  unrealized_pnl: number
  realized_pnl: number
}

export interface Setting {
  key: string
  value: string
  description: string
  category: string
}

export interface AdminUser {
  id: Id
  username: string
  email: string
  role: string
  is_active: Flag
}

export interface ApiConfig {
  id: Id
  name: string
  endpoint: string
  is_enabled: Flag
}

export interface ApiService {
  id: Id
  name: string
  description: string
  url: string
}

export interface ApiRoute {
  id: Id
  api_endpoint_id: Id
  method: string
  path: string
  description: string
  parameters: string
  is_active: Flag
  requires_auth: Flag
}

export interface Connection {
  id: Id
  name: string
  type: string
  database_name: string
  connection_string: string
  is_active: Flag
}

export interface Column {
  cid: number
  name: string
  type: string
  notnull: Flag
  pk: Flag
}

export type Row = Record<string, unknown>

export interface Table {
  name: string
  columns: Column[]
  rows: Row[]
}

export interface HistoryItem {
  id: Id
  query: string
  status: string
  executed_at: string
  execution_time: number
  error_message: string | null
}

export interface Backup {
  id: Id
  backup_type: string
  backup_size: number
  backup_path: string
  status: string
  created_at: string
}
