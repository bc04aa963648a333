import { queries } from '@binnacle/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { download } from './download.ts'

const REQUEST = { params: { conn: 1 }, body: { query: 'SELECT 1', format: 'csv' } } as const

describe('a download', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('[CLIENT-21] fails when no byte has arrived for the given time', async () => {
    vi.useFakeTimers()
    answer((signal) => new Promise((_, reject) => onAbort(signal, reject)))
    const failed = vi.fn()
    const requested = download(queries.export, REQUEST, 120_000).catch(failed)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await requested
    expect(failed.mock.calls[0]?.[0]).toMatchObject({ name: 'TimeoutError' })
  })

  test('[CLIENT-21] may take longer in all while bytes arrive, and fails once they stop', async () => {
    vi.useFakeTimers()
    const { body, send } = aBody()
    answer(async (signal) => {
      onAbort(signal, body.fail)
      return new Response(body.stream)
    })
    const failed = vi.fn()
    const requested = download(queries.export, REQUEST, 120_000).catch(failed)
    for (const row of ['1', '2', '3']) {
      await vi.advanceTimersByTimeAsync(100_000)
      send(row)
    }
    await vi.advanceTimersByTimeAsync(119_999)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await requested
    expect(failed).toHaveBeenCalledOnce()
  })

  test('keeps the name, the type and every byte of the file', async () => {
    const headers = {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="result.csv"',
    }
    answer(async () => new Response('a,b\r\n1,2\r\n', { headers }))
    const { name, content } = await download(queries.export, REQUEST, 120_000)
    expect([name, content.type, await content.text()]).toEqual(['result.csv', 'text/csv', 'a,b\r\n1,2\r\n'])
  })
})

function answer(reply: (signal: AbortSignal | null | undefined) => Promise<Response>): void {
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit = {}) =>
    url === '/config.json' ? Promise.resolve(new Response('', { status: 404 })) : reply(signal),
  )
}

function onAbort(signal: AbortSignal | null | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => reject(signal.reason))
}

/** A body whose bytes arrive when the test sends them. */
function aBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
  })
  return {
    body: { stream, fail: (reason: unknown) => controller?.error(reason) },
    send: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
  }
}
