import type { AnyEndpoint, RequestOf } from '@binnacle/contract'
import { apiErrorFrom } from '#data/failure.ts'
import { findAddresses } from './addresses.ts'
import { requestInit, urlOf } from './exchange.ts'

export interface DownloadedFile {
  name: string
  content: Blob
}

/** Makes a call whose reply is a file. It may take as long as the file is long, so it is given no deadline. */
export async function download<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
): Promise<DownloadedFile> {
  const url = urlOf(endpoint, request, await findAddresses())
  const response = await fetch(url, requestInit(endpoint, request))
  if (!response.ok) throw await apiErrorFrom(response)
  const [, name = 'export'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { name, content: await response.blob() }
}
