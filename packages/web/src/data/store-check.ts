import { type TaskRun, tasks } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { logOnly } from './failure.ts'
import { useHasMaintenance } from './maintenance.ts'

const KIND = 'stores.check'
const POLL_MS = 60_000

export interface StoreCheck {
  /** Null while no schedule is enabled. */
  nextRunAt: string | null
  /** Undefined before the first run. */
  last: TaskRun | undefined
}

/** ADM-19: the last check of the server's own stores; undefined until loaded, and without the capability. */
export function useStoreCheck(): StoreCheck | undefined {
  const { data } = useQuery({
    queryKey: ['store-check'],
    queryFn: ({ signal }) => loadCheck(signal),
    refetchInterval: POLL_MS,
    meta: { onFailure: logOnly },
    enabled: useHasMaintenance(),
  })
  return data
}

async function loadCheck(signal: AbortSignal): Promise<StoreCheck> {
  const listed = (await call(tasks.list, {}, { signal })).tasks.filter(({ kind }) => kind === KIND)
  const runs = await Promise.all(
    listed.map(async ({ id }) => {
      const request = { params: { id }, query: { limit: 10 } }
      return (await call(tasks.history, request, { signal })).runs.find(isFinished)
    }),
  )
  const [last] = runs
    .filter((run) => run !== undefined)
    .toSorted((left, right) => String(right.ended_at).localeCompare(String(left.ended_at)))
  const next = listed.flatMap(({ next_run_at }) => next_run_at ?? []).toSorted()
  return { nextRunAt: next[0] ?? null, last }
}

function isFinished({ state }: TaskRun): boolean {
  return state === 'done' || state === 'failed'
}
