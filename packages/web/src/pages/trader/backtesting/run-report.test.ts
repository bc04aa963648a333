import { expect, test } from 'vitest'
import { reportOf } from './run-report.ts'
import { aResult, aRun } from './testkit.ts'

test('[BT-35] a report is one page with its figures, says Simulated venues and loads nothing', () => {
  const result = aResult('5be07a11ff')
  const page = reportOf(aRun(7, { note: 'a <b> & "c"', tags: ['fast'] }), result)
  expect(page).toContain('<b>Simulated venues</b>')
  expect(page).toContain('BT-7 momentum BTCUSDT 5m')
  expect(page).toContain('5be07a11ff')
  expect(page).toContain('a &lt;b&gt; &amp; &quot;c&quot;')
  expect(page).toContain('+5.00%')
  expect(page.match(/<polyline/g)).toHaveLength(2)
  expect(page).not.toMatch(/(src|href)=|url\(|<script|https?:/)
  const document = new DOMParser().parseFromString(page, 'text/html')
  expect(document.querySelectorAll('tbody tr').length).toBeGreaterThan(20)
})
