import { expect, test } from 'vitest'
import { parseExposition } from './exposition.ts'

const GOOD = '# HELP a_total How many\n# TYPE a_total counter\na_total{route="/x\\"y"} 3\n'

const HISTOGRAM =
  '# HELP h H\n# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 1\nh_count 2\n'

test('a correct text is parsed', () => {
  expect(parseExposition(GOOD)).toEqual([{ name: 'a_total', labels: { route: '/x"y' }, value: 3 }])
  expect(parseExposition(HISTOGRAM)).toHaveLength(4)
})

test.each([
  ['no line feed at the end', GOOD.trimEnd()],
  ['a sample without HELP and TYPE', 'b 1\n'],
  ['a sample twice', `${GOOD}a_total{route="/x\\"y"} 4\n`],
  ['an open label', GOOD.replace('"} 3', '} 3')],
  ['no number', GOOD.replace(' 3\n', ' many\n')],
  ['a counter without _total', GOOD.replaceAll('a_total', 'a')],
  ['a metric in two pieces', `${GOOD}# HELP b B\n# TYPE b gauge\nb 1\na_total{route="z"} 1\n`],
  ['a gauge with _total', GOOD.replace('counter', 'gauge')],
  ['HELP twice', `# HELP a_total How many\n${GOOD}`],
  ['TYPE after the sample', '# HELP b B\nb 1\n# TYPE b gauge\n'],
  ['a hexadecimal number', GOOD.replace(' 3\n', ' 0x3\n')],
  ['a label twice', GOOD.replace('{', '{route="z",')],
  ['a label of Prometheus itself', GOOD.replace('{route', '{__route')],
  ['a wrong escape in a label', GOOD.replace('\\"y', '\\y')],
  ['a wrong escape in HELP', GOOD.replace('How many', 'How \\many')],
  ['a unit that is not a base unit', GOOD.replaceAll('a_total', 'a_ms_total')],
  ['capitals', GOOD.replaceAll('a_total', 'aB_total')],
  ['another comment', `${GOOD}# EOF\n`],
  ['buckets that fall', HISTOGRAM.replace('le="1"} 1', 'le="1"} 3')],
  ['no bucket +Inf', HISTOGRAM.replace('h_bucket{le="+Inf"} 2\n', '')],
  ['+Inf other than the count', HISTOGRAM.replace('h_count 2', 'h_count 3')],
  ['a bucket twice with another value', HISTOGRAM.replace('le="+Inf"', 'le="1.0"')],
  ['no sum', HISTOGRAM.replace('h_sum 1\n', '')],
])('refused: %s', (_, text) => {
  expect(() => parseExposition(text)).toThrow()
})
