import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test('a row has quoted cells, doubled quotes and CRLF', () => {
  expect(csvRow([1, 'a,b', 'say "x"', null, 'two\nlines'])).toBe('"1","a,b","say ""x""","","two\nlines"\r\n')
})

test.each(['=1+1', '+A1', '-1+1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '=HYPERLINK("http://evil")'])(
  'the cell %j is neutralised',
  (cell) => {
    expect(csvRow([cell])).toBe(`"'${cell.replaceAll('"', '""')}"\r\n`)
  },
)

test.each(['a=1', '1-2', '-1', '+2.5e3', '{"a":-1}', "'quoted", ' '])('the cell %j is unchanged', (cell) => {
  expect(csvRow([cell])).toBe(`"${cell.replaceAll('"', '""')}"\r\n`)
})
