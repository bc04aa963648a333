export { FakeNode, type FakeNodeOptions } from './fake-node.ts'
export { createManualTimers, type ManualTimers } from './manual-timers.ts'
