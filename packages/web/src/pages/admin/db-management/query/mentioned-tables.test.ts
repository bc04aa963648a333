import { describe, expect, it } from 'vitest'
import { mentionedTables } from './mentioned-tables.ts'

const tables = ['trades', 'trade', 'orders', 'Daily Marks']

describe('tables a statement speaks of', () => {
  it('are found as whole words in any case', () => {
    expect(mentionedTables('select * from TRADES t join orders o', tables)).toEqual(['trades', 'orders'])
    expect(mentionedTables('select * from "daily marks"', tables)).toEqual(['Daily Marks'])
    expect(mentionedTables('select trade_id from my_orders', tables)).toEqual([])
  })

  it('are found behind a longer word that holds their name', () => {
    expect(mentionedTables('select trades_id from trades', tables)).toEqual(['trades'])
  })

  it('are at most eight', () => {
    const many = Array.from({ length: 20 }, (_, number) => `t${number}`)
    expect(mentionedTables(many.join(' '), many)).toHaveLength(8)
  })
})
