export {
  type BacktestEnding,
  type BacktestProcess,
  type BacktestProgram,
  backtestProgram,
  type NodeBacktest,
  startBacktest,
} from './backtest-process.ts'
export { type CommandRecord, openCommandJournal } from './command-journal.ts'
export { openHistoryStore } from './history-store.ts'
export { NautilusDesk } from './nautilus-desk.ts'
export { NodeClient, type NodeClientOptions } from './node-client.ts'
export { BRIDGE_FOLDER, findPython, readVersion } from './python.ts'
export { NodeSupervisor } from './supervisor.ts'
