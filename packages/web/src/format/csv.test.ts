import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

const cellsOf = (...cells: (string | number)[]) =>
  csvOf(
    ['cell'],
    cells.map((cell) => ({ cell })),
  )
    .split('\r\n')
    .slice(1, -1)

test('[STORE-26] a text that a spreadsheet would run gets an apostrophe before it', () => {
  expect(cellsOf('=1+1', '+cmd', '-cmd', '@sum', '\tx', '＝1')).toEqual([
    "'=1+1",
    "'+cmd",
    "'-cmd",
    "'@sum",
    "'\tx",
    "'＝1",
  ])
  expect(cellsOf('=A1,B2')).toEqual([`"'=A1,B2"`])
})

test('[STORE-560] a cell that contains a semicolon is quoted', () => {
  expect(cellsOf(';=1', 'a;b', 'a=b')).toEqual(['";=1"', '"a;b"', 'a=b'])
})

test('[STORE-26] numbers and other texts stay as they are', () => {
  expect(cellsOf(-5.25, 1e-7, '-12', 'Trend BTC', '')).toEqual(['-5.25', '1e-7', '-12', 'Trend BTC', ''])
})
