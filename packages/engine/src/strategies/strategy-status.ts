export type StrategyStatus = 'running' | 'stopped' | 'error'
