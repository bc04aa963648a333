import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import type { Anchor } from './driver.ts'
import { type PagePlan, planPage } from './page-plan.ts'

test('[STORE-8] whichever way a page is read, it is the rows that its offset means', () => {
  const count = fc.integer({ min: 0, max: 200 })
  fc.assert(
    fc.property(
      count,
      count,
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('none', 'after', 'before'),
      (total, offset, limit, side) => {
        const rows = Array.from({ length: total }, (_, index) => index)
        const anchor = anchorFor(side, { offset, limit, total })
        for (const known of [total, undefined]) {
          const plan = planPage({ offset, limit, anchor, total: known })
          expect(read(rows, plan)).toEqual(rows.slice(offset, offset + limit))
        }
      },
    ),
    generated('cases'),
  )
})

test('the last page is read from the end, and passes over nothing', () => {
  expect(planPage({ offset: 4_999_950, limit: 50, total: 5_000_000 })).toEqual({
    isBackward: true,
    skip: 0,
    take: 50,
  })
})

function anchorFor(
  side: string,
  { offset, limit, total }: Record<'offset' | 'limit' | 'total', number>,
): Anchor | undefined {
  if (side === 'after' && offset > 0 && offset <= total) return { key: [offset - 1], side: 'after' }
  if (side === 'before' && offset + limit < total) return { key: [offset + limit], side: 'before' }
  return undefined
}

/** What a store does with a plan, on rows that are their own keys. */
function read(rows: number[], { isBackward, key, skip, take }: PagePlan): number[] {
  const from = Number(key?.[0])
  const there = rows.filter((row) => key === undefined || (isBackward ? row < from : row > from))
  const ordered = isBackward ? there.toReversed() : there
  const taken = ordered.slice(skip, skip + take)
  return isBackward ? taken.toReversed() : taken
}
