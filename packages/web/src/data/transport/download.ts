import type { AnyEndpoint, RequestOf } from '@binnacle/contract'
import { apiErrorFrom } from '#data/failure.ts'
import { loadAddresses } from './addresses.ts'
import { requestInit, urlOf } from './send-request.ts'

export interface DownloadedFile {
  name: string
  content: Blob
}

/** Sends a request whose reply is a file. No timeout, since a large file may take long. */
export async function download<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
): Promise<DownloadedFile> {
  const url = urlOf(endpoint, request, await loadAddresses())
  const response = await fetch(url, requestInit(endpoint, request))
  if (!response.ok) throw await apiErrorFrom(response)
  const [, name = 'export'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, content: await response.blob() }
}
