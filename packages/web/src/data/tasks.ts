import { type Id, type RequestOf, type Task, type TaskRun, tasks } from '@binnacle/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 5_000
const all = ['tasks'] as const

export const taskQueries = {
  list: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: async ({ signal }) => (await call(tasks.list, {}, { signal })).tasks,
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
  history: (id: Id) =>
    queryOptions({
      queryKey: [...all, 'history', String(id)],
      queryFn: async ({ signal }) =>
        (await call(tasks.history, { params: { id }, query: { limit: 20 } }, { signal })).runs,
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    }),
}

export type NewTask = RequestOf<typeof tasks.add>['body']

export function useAddTask(options: CommandOptions<NewTask>): Command<NewTask> {
  return useCommand(
    {
      key: ADD,
      send: (body: NewTask, key) => call(tasks.add, { body }, { key }),
      idempotency: { by: 'request' },
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const ADD = ['tasks', 'add']

export type TaskAction = { task: Task; action: 'run' | 'toggle' | 'delete' }

/** ADB-15: one command per task at a time. */
export function useTaskAction(options: CommandOptions<TaskAction, TaskRun | undefined>): Command<TaskAction> {
  return useCommand(
    { key: ACT, subject: ({ task }) => String(task.id), send, reload, reloadsAfterFailure: true },
    options,
  )
}

const ACT = ['tasks', 'act']

async function send({ task: { id, is_enabled }, action }: TaskAction): Promise<TaskRun | undefined> {
  const params = { id }
  if (action === 'run') return call(tasks.run, { params })
  if (action === 'delete') await call(tasks.remove, { params })
  else await call(tasks.update, { params, body: { is_enabled: is_enabled === 1 ? 0 : 1 } })
  return undefined
}

function reload(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: all })
}
