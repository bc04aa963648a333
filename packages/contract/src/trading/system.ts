import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object } from '#object.ts'
import { Id } from '#shared.ts'

const Bytes = z.number().describe('In bytes')

/** The JavaScript heap of one thread. */
export const ThreadMemory = object(() => ({
  name: z.string().describe('api, engine, backtest and others; threads of one kind share the name'),
  id: Id,
  heap_used: Bytes,
  heap_total: Bytes,
  heap_limit: Bytes,
  external: Bytes,
})).meta({ id: 'ThreadMemory' })
export type ThreadMemory = z.output<typeof ThreadMemory>

/** A process that the server started: a store worker, a custom strategy, a backup tool. */
export const ChildMemory = object(() => ({ name: z.string(), pid: z.number(), resident: Bytes })).meta({
  id: 'ChildMemory',
})
export type ChildMemory = z.output<typeof ChildMemory>

export const Memory = object(() => ({
  resident: Bytes.describe('Of the whole server process'),
  array_buffers: Bytes,
  threads: z.array(ThreadMemory),
  children: z.array(ChildMemory).describe('Empty where the system does not show them'),
  as_of: z.string(),
})).meta({ id: 'Memory' })
export type Memory = z.output<typeof Memory>

export const system = {
  memory: tradingEndpoint('GET /api/system/memory', {
    summary: 'Memory of the server process, the heap of each thread and the memory of child processes',
    role: 'admin',
    origin: 'ours',
    reply: Memory,
  }),
}
