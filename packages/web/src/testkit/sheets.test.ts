import { expect, onTestFinished, test } from 'vitest'

test.each([
  ['appendChild', (sheet: HTMLStyleElement) => document.head.appendChild(sheet)],
  ['insertBefore', (sheet: HTMLStyleElement) => document.head.insertBefore(sheet, null)],
])('a sheet that a module puts into the head by %s has no rules', (_, insert) => {
  const sheet = document.createElement('style')
  onTestFinished(() => sheet.remove())
  sheet.textContent = 'p { display: none }'
  insert(sheet)
  expect(document.head).toContainElement(sheet)
  expect(document.styleSheets).toHaveLength(0)
})
