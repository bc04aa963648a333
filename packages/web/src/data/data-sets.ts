import {
  type DataSet,
  type DataSetImport,
  type DataSetMapping,
  type DataSetUpload,
  dataSets,
  type Id,
  type JobAccepted,
  type RequestOf,
} from '@binnacle/contract'
import {
  type QueryClient,
  QueryObserver,
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import {
  type Command,
  type CommandOptions,
  useCommand,
  usePendingRequests,
  usePendingSubjects,
} from './command.ts'
import { ApiError, logOnly, parseJson } from './failure.ts'
import { retryUntilLoaded } from './load.ts'
import { parseReply, sendRequest } from './transport/send-request.ts'

const UPLOAD = ['data-sets', 'upload']
const IMPORT = ['data-sets', 'import']
const POLL_MS = 1_000

const all = ['data-sets'] as const

/** Undefined until loaded, and on a server without data sets. */
export function useDataSets(): readonly DataSet[] | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return useQuery({
    enabled: offers(backend, 'market-data'),
    queryKey: [...all, 'list'],
    queryFn: async ({ signal }) => (await call(dataSets.list, {}, { signal })).data_sets,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: retryUntilLoaded,
    retry: false,
    meta: { onFailure: logOnly },
  }).data
}

export const dataSetQueries = {
  gaps: (name: string, instrument: string) =>
    queryOptions({
      queryKey: [...all, 'gaps', name, instrument],
      queryFn: ({ signal }) => call(dataSets.gaps, { params: { name }, query: { instrument } }, { signal }),
      meta: { onFailure: logOnly },
    }),
  /** The first bars as a mapping reads them; nothing is requested without one. */
  preview: (upload: string, instrument: string, mapping: DataSetMapping | undefined) =>
    queryOptions({
      queryKey: [...all, 'preview', upload, instrument, mapping],
      queryFn:
        mapping === undefined
          ? skipToken
          : ({ signal }) =>
              call(dataSets.preview, { body: { upload_id: upload, instrument, mapping } }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      // The form shows why a mapping does not fit.
      meta: { onFailure: () => {} },
    }),
  progress: (id: Id | undefined) =>
    queryOptions({
      queryKey: [...all, 'progress', id],
      queryFn:
        id === undefined
          ? skipToken
          : ({ signal }) => call(dataSets.progress, { params: { id: String(id) } }, { signal }),
      refetchInterval: ({ state }) => (state.data && isEnded(state.data) ? false : POLL_MS),
      meta: { onFailure: logOnly },
    }),
}

export function isEnded({ state }: Pick<DataSetImport, 'state'>): boolean {
  return state !== 'queued' && state !== 'running'
}

interface Upload {
  file: File
  abort: AbortController
}

export interface UploadCommand extends Pick<Command<File>, 'isPending' | 'failure'> {
  run: (file: File) => void
  /** MKT-450: aborts the request; the server then deletes what it received. */
  cancel: () => void
  /** The last upload was cancelled, which is no failure. */
  isCancelled: boolean
}

export function useUpload({ onFailure, onDone }: CommandOptions<File, DataSetUpload>): UploadCommand {
  const { run, isPending, failure } = useCommand<Upload, DataSetUpload>(
    {
      key: UPLOAD,
      send: ({ file, abort: { signal } }) =>
        call(dataSets.upload, { query: { filename: file.name } }, { file, signal }),
    },
    {
      onFailure: (error, { file }, context) =>
        error instanceof UploadCancelled ? undefined : onFailure(error, file, context),
      onDone: (reply, { file }) => onDone?.(reply, file),
    },
  )
  // Every command with this key is started below. One may have been started before the screen was left and opened again.
  const pending = usePendingRequests(UPLOAD) as readonly Upload[]
  const isCancelled = failure?.error instanceof UploadCancelled
  return {
    run: (file) => run({ file, abort: new AbortController() }),
    cancel: () => {
      for (const { abort } of pending) abort.abort(new UploadCancelled())
    },
    isPending,
    isCancelled,
    failure: isCancelled ? undefined : failure,
  }
}

class UploadCancelled extends Error {}

type NewImport = RequestOf<typeof dataSets.import>['body']

/** Starts the import and returns its job, whose progress has a call of its own. */
export function useImport(options: CommandOptions<NewImport, JobAccepted>): Command<NewImport> {
  const client = useQueryClient()
  return useCommand(
    {
      key: IMPORT,
      send: async (body) => {
        const { text } = await sendRequest(dataSets.import, { body }, {})
        const accepted = parseReply(dataSets.import, parseJson(text))
        reloadOnceImported(client, accepted.job_id)
        return accepted
      },
    },
    options,
  )
}

/** While a file is uploaded, or the start of an import has no answer yet. */
export function useIsImportSending(): boolean {
  return usePendingSubjects(UPLOAD).size + usePendingSubjects(IMPORT).size > 0
}

/** Also when the screen that started the import is left before its job ends. */
function reloadOnceImported(client: QueryClient, job: Id): void {
  const stop = new QueryObserver(client, dataSetQueries.progress(job)).subscribe(({ data, error }) => {
    const isUnknown = error instanceof ApiError && error.status === 404
    if (!isUnknown && (data === undefined || !isEnded(data))) return
    stop()
    void client.invalidateQueries({ queryKey: [...all, 'list'] })
    void client.invalidateQueries({ queryKey: [...all, 'gaps'] })
  })
}
