import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Flag, Id, listOf, orDone, StrictFlag } from '#shared.ts'

/** A scheduled task. The specification names tasks and shows no fields: these are ours. */
export const Task = z
  .object({
    id: Id,
    name: z.string(),
    action: z.string(),
    schedule: z.string().describe('A cron expression, in UTC'),
    is_enabled: Flag,
    last_run_at: z.string().nullish(),
    next_run_at: z.string().nullish(),
  })
  .meta({ id: 'Task' })
export type Task = z.output<typeof Task>

export const NewTask = z
  .strictObject({
    name: z.string().min(1),
    action: z.string().min(1),
    schedule: z.string().min(1),
    is_enabled: StrictFlag.default(1),
  })
  .meta({ id: 'NewTask' })
export type NewTask = z.output<typeof NewTask>

export const tasks = {
  list: endpoint('GET /api/admin/tasks', {
    summary: 'Scheduled tasks',
    role: 'admin',
    origin: 'documented',
    reply: listOf('tasks', Task),
  }),
  add: endpoint('POST /api/admin/tasks', {
    summary: 'Schedule a task',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewTask,
    reply: orDone(Task),
  }),
}
