import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './launch/project.mjs'

const sheets = globSync('packages/web/src/**/*.css', { cwd: ROOT })

test.each(sheets)('[STREAM-170] %s asks nothing of the whole page through :has()', (file) => {
  const rules = readFileSync(join(ROOT, file), 'utf8')
  expect(rules.match(/(:root|html|body|#root)[^\s,{]*:has\(/g) ?? []).toEqual([])
})

test.each(sheets)('[STREAM-120] %s reaches no row and no cell through :has()', (file) => {
  const rules = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
  const selectors = rules.match(/[^{}]+(?=\{)/g) ?? []
  const reaching = selectors.filter((selector) => selector.includes(':has(') && /\bt[rdh]\b/.test(selector))
  expect(reaching).toEqual([])
})

test('[STREAM-260] the window of a long list has the opaque background of the card it is in', () => {
  const rules = readFileSync(join(ROOT, 'packages/web/src/ui/list/data-table.module.css'), 'utf8')
  const [window] = rules.match(/^\.window \{[^}]*\}/m) ?? []
  expect(window).toContain('background: var(--surface)')
  expect(rules).not.toMatch(/border-collapse: collapse/)
  const tokens = readFileSync(join(ROOT, 'packages/web/src/ui/look/tokens.css'), 'utf8')
  const surfaces = [...tokens.matchAll(/--surface: ([^;]+);/g)].map(([, colour]) => colour)
  expect(surfaces.length).toBeGreaterThan(1)
  expect(surfaces.every((colour) => /^#[\da-f]{3,6}$/i.test(colour ?? ''))).toBe(true)
})
