import { type Id, type Job, type JobDetail, jobs } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'

const CANCEL = ['jobs', 'cancel']
const POLL_MS = 5000
const POLL_WHILE_RUNNING_MS = 1000
const MAX_LISTED = 50

const ALL = ['jobs', 'list']

const listQuery = queryOptions({
  queryKey: ALL,
  queryFn: async ({ signal }) => (await call(jobs.list, { query: { limit: MAX_LISTED } }, { signal })).jobs,
  refetchInterval: ({ state }) => (state.data?.some(isActive) ? POLL_WHILE_RUNNING_MS : POLL_MS),
})

export interface JobHistory {
  /** Newest first. Undefined until loaded. */
  jobs: readonly Job[] | undefined
  isFailed: boolean
}

/** The jobs of a backend that offers them; undefined for any other, where nothing is requested. */
export function useJobHistory(): JobHistory | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'jobs')
  const { data, status } = useQuery({ ...listQuery, enabled: isOffered })
  return isOffered ? { jobs: data, isFailed: status === 'error' } : undefined
}

/**
 * The listed jobs of these kinds, newest first; none without the capability. While a command is under way its job may
 * begin at any time, so the list is loaded more often.
 */
export function useJobsOf(kinds: readonly string[], isExpected: boolean): readonly Job[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data } = useQuery({
    ...listQuery,
    enabled: offers(backend, 'jobs'),
    ...(isExpected && { refetchInterval: POLL_WHILE_RUNNING_MS }),
  })
  return (data ?? []).filter(({ kind }) => kinds.includes(kind))
}

/** One job with its log and result; loaded again for as long as it runs. */
export function useJobDetail(id: Id): JobDetail | undefined {
  return useQuery({
    queryKey: ['jobs', 'detail', String(id)],
    queryFn: ({ signal }) => call(jobs.get, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? POLL_WHILE_RUNNING_MS : false),
  }).data
}

export function isActive({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

export function useCancelJob(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    {
      key: CANCEL,
      subject: String,
      send: (id) => call(jobs.cancel, { params: { id } }),
      reload: (client) => client.invalidateQueries({ queryKey: ALL }),
    },
    options,
  )
}
