import { expect, test } from 'vitest'
import { Refused } from './problems.ts'
import { conditionalChangeOf, Versioned } from './versions.ts'

test('[CLIENT-301] of two changes of one version by different listeners the second is refused', async () => {
  const store = { limit: 1 }
  const { etag } = new Versioned(null, { ...store })
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const save = (limit: number) =>
    conditionalChangeOf(store)(
      etag,
      async () => {
        const stored = { ...store }
        await isRead
        return stored
      },
      () => {
        store.limit = limit
        return 'saved'
      },
    )
  const answers = [save(2), save(3)]
  read()
  expect(await answers[0]).toBe('saved')
  expect(await answers[1]).toBeInstanceOf(Refused)
  expect(store.limit).toBe(2)
})
