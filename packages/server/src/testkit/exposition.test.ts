import { expect, test } from 'vitest'
import { parseExposition } from './exposition.ts'

const GOOD = '# HELP a_total How many\n# TYPE a_total counter\na_total{route="/x\\"y"} 3\n'

test('a correct text is parsed', () => {
  expect(parseExposition(GOOD)).toEqual([{ name: 'a_total', labels: { route: '/x"y' }, value: 3 }])
})

test.each([
  ['no line feed at the end', GOOD.trimEnd()],
  ['a sample without HELP and TYPE', 'b 1\n'],
  ['a sample twice', `${GOOD}a_total{route="/x\\"y"} 4\n`],
  ['an open label', GOOD.replace('"} 3', '} 3')],
  ['no number', GOOD.replace(' 3\n', ' many\n')],
  ['a counter without _total', GOOD.replaceAll('a_total', 'a')],
  ['a metric in two pieces', `${GOOD}# HELP b B\n# TYPE b gauge\nb 1\na_total{route="z"} 1\n`],
  [
    'buckets that fall',
    '# HELP h H\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
  ],
])('refused: %s', (_, text) => {
  expect(() => parseExposition(text)).toThrow()
})
