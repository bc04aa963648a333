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
