export { type CommandJournal, type CommandRecord, openCommandJournal } from './command-journal.ts'
export type { NodeAddress } from './link.ts'
export { NautilusDesk } from './nautilus-desk.ts'
export { NodeClient, type NodeClientOptions, type NodeStatus } from './node-client.ts'
