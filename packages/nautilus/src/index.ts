export {
  type CommandJournal,
  type CommandRecord,
  createMemoryCommandJournal,
  openCommandJournal,
} from './command-journal.ts'
export type { CommandOutcome } from './command-outcome.ts'
export type { NodeAddress } from './link.ts'
export { type CommandRequest, NodeClient, type NodeClientOptions, type NodeStatus } from './node-client.ts'
