export { DESK_CASES, DESK_DIFFERENCES, type DeskCase, type DeskSubject } from './desk-cases.ts'
export { FakeNode, type FakeNodeOptions } from './fake-node.ts'
export { createManualTimers, type ManualTimers } from './manual-timers.ts'
export { reach } from './reach.ts'
