import { describe, expect, test } from 'vitest'
import { mentionedTables } from './use-sql-names.ts'

const tables = ['trades', 'trade', 'orders', 'Daily Marks']

describe('tables in a statement', () => {
  test('are found as whole words in any case', () => {
    expect(mentionedTables('select * from TRADES t join orders o', tables)).toEqual(['trades', 'orders'])
    expect(mentionedTables('select * from "daily marks"', tables)).toEqual(['Daily Marks'])
    expect(mentionedTables('select trade_id from my_orders', tables)).toEqual([])
  })

  test('are found after a longer word that contains their name', () => {
    expect(mentionedTables('select trades_id from trades', tables)).toEqual(['trades'])
  })

  test('are at most eight', () => {
    const many = Array.from({ length: 20 }, (_, number) => `t${number}`)
    expect(mentionedTables(many.join(' '), many)).toHaveLength(8)
  })
})
