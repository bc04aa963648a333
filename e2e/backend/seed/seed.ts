import type { Addresses, State } from '#backend/state.ts'
import { adminSeed } from './admin-seed.ts'
import { databaseSeed } from './database-seed.ts'
import { makeHostile } from './hostile-strings.ts'
import { tradingSeed } from './trading-seed.ts'

/** usual: a bit of everything. empty: no lists at all. hostile: every string looks like markup or script. */
export type SeedName = 'usual' | 'empty' | 'hostile'

export function seedState(name: SeedName, addresses: Addresses): State {
  const usual = { ...tradingSeed(), ...adminSeed(addresses), ...databaseSeed() }
  if (name === 'hostile') return makeHostile(usual, addresses)
  return name === 'empty' ? emptied(usual) : usual
}

function emptied(state: State): State {
  return {
    ...state,
    engine: { ...state.engine, is_running: false, status: 'stopped', strategies_count: 0 },
    metrics: {
      total_exposure: 0,
      margin_used: 0,
      margin_available: 0,
      max_drawdown: 0,
      var_1d: null,
      position_count: 0,
    },
    components: [],
    instruments: [],
    strategies: [],
    orders: [],
    positions: [],
    settings: [],
    users: [],
    configs: [],
    services: [],
    routes: [],
    connections: [],
    stores: new Map(),
  }
}
