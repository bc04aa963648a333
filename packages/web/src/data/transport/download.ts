import type { AnyEndpoint, RequestOf } from '@binnacle/contract'
import { apiErrorFrom } from '#data/failure.ts'
import { loadAddresses } from './addresses.ts'
import { createDeadline } from './deadline.ts'
import { requestInit, urlOf } from './send-request.ts'

export interface DownloadedFile {
  name: string
  content: Blob
}

/** CLIENT-21: aborted when no byte has arrived for this long; a large file may take any time in all. */
export async function download<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  idleMs: number,
): Promise<DownloadedFile> {
  const deadline = createDeadline(idleMs)
  try {
    const url = urlOf(endpoint, request, await loadAddresses())
    const response = await fetch(url, { ...requestInit(endpoint, request), signal: deadline.signal })
    if (!response.ok) throw await apiErrorFrom(response)
    const [, name = 'export'] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    return { name, content: await readBlob(response, deadline.restart) }
  } finally {
    deadline.clear()
  }
}

/** Chunks pass through to the browser's own blob store, since a large file does not fit in the page's memory. */
async function readBlob(response: Response, onChunk: () => void): Promise<Blob> {
  const type = response.headers.get('content-type') ?? ''
  if (!response.body) return new Blob([], { type })
  const watched = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        onChunk()
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(watched, { headers: { 'content-type': type } }).blob()
}
