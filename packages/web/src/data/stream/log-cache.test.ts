import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { monitoringQueries } from '#data/monitoring.ts'
import { LogCache } from './log-cache.ts'

function aLine(id: number) {
  const at = `2026-11-16T12:00:0${id}.000Z`
  return { id, at, level: 'info' as const, event: 'request', text: `line ${id}`, request_id: null }
}

test('[MON-30] log lines of several frames are written once per painted frame, and a snapshot replaces those before', () => {
  const client = new QueryClient()
  const due: (() => void)[] = []
  const cache = new LogCache(client, (write) => due.push(write))
  const { queryKey } = monitoringQueries.logs()
  const paint = () => {
    for (const write of due.splice(0)) write()
    return client.getQueryData(queryKey)?.map(({ id }) => id)
  }
  const send = (type: 'snapshot' | 'change', ...ids: number[]) =>
    cache.apply({ type, seq: 1, topic: 'logs', data: { lines: ids.map(aLine) } })
  send('snapshot', 1)
  send('change', 2)
  send('change', 3, 4)
  expect(due).toHaveLength(1)
  expect(client.getQueryData(queryKey)).toBeUndefined()
  expect(paint()).toEqual([1, 2, 3, 4])
  send('change', 5)
  expect(paint()).toEqual([1, 2, 3, 4, 5])
  send('change', 6)
  send('snapshot', 7)
  expect(paint()).toEqual([7])
})
