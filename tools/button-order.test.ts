import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = resolve(import.meta.dirname, '../packages/web/src')

/** A button that ends a form or a dialog without its action. */
const DISMISSES = /(?:onClose|onCancel|on\.cancel|close)\}/

test('[SHELL-86] the action of a dialog or a form comes first, then the button that leaves it', () => {
  const groups = globSync('**/*.tsx', { cwd: SOURCES })
    .filter((path) => !path.endsWith('.test.tsx'))
    .flatMap((path) => groupsIn(path))
  expect(groups.length).toBeGreaterThan(20)
  expect(groups.filter(({ buttons }) => !isInOrder(buttons)).map(({ path }) => path)).toEqual([])
})

/** The buttons of every row that has both an action and a way out. */
function groupsIn(path: string) {
  const source = readFileSync(resolve(SOURCES, path), 'utf8')
  return source.split(/<(?:DialogActions|Row|div|span|form)\b/).flatMap((part) => {
    const buttons = part.match(/<Button\b[\s\S]*?(?=<Button\b|$)/g) ?? []
    const hasAction = buttons.some((button) => isAction(button))
    return hasAction && buttons.some((button) => isDismissal(button)) ? [{ path, buttons }] : []
  })
}

function isInOrder(buttons: readonly string[]): boolean {
  return buttons.findLastIndex(isAction) < buttons.findIndex(isDismissal)
}

function isAction(button: string): boolean {
  return /^<Button\b[^>]*(?:type="submit"|kind="(?:primary|danger)")/.test(button)
}

function isDismissal(button: string): boolean {
  return !isAction(button) && DISMISSES.test(openingTag(button))
}

function openingTag(button: string): string {
  return button.slice(0, button.search(/>\s*(?:\n|\{|\w)/) + 1)
}
