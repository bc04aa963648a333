import { describe, expect, test } from 'vitest'
import { latestEntries } from './history-list.tsx'

const entries = Array.from({ length: 12 }, (_, number) => ({
  id: number,
  query: `SELECT ${number}`,
  status: 'success',
  executed_at: `2026-03-02T09:${10 + number}:00Z`,
}))
const newestFirst = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

describe('history', () => {
  test('[DB-18] shows the 10 latest, newest first, when they come oldest first', () => {
    expect(latestEntries(entries).map(({ id }) => id)).toEqual(newestFirst)
  })

  test('[DB-18] shows the 10 latest, newest first, when they come newest first', () => {
    expect(latestEntries(entries.toReversed()).map(({ id }) => id)).toEqual(newestFirst)
  })

  test('[DB-18] entries with an invalid time keep the order of the backend', () => {
    const undated = entries.map((entry) => ({ ...entry, executed_at: 'a while ago' }))
    expect(latestEntries(undated).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})
