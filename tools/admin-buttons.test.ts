import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ADMIN_BUTTONS, BASELINE_BUTTONS } from './admin-buttons.list.ts'

const ROOT = resolve(import.meta.dirname, '..')
const WEB = resolve(ROOT, 'packages/web/src')
/** Monitoring shows the inbox, Database Management the form. */
const SHARED = ['ui/alert/inbox-panel.tsx', 'ui/control/typed-name-form.tsx']

const presses = Object.values(ADMIN_BUTTONS).flatMap((entry) => (typeof entry === 'string' ? [] : entry))
const baselinePresses = Object.values(BASELINE_BUTTONS).flatMap((entry) =>
  typeof entry === 'string' ? [] : entry,
)

test('[MAINT-40] every button of the admin screens is in the table, and no other', () => {
  const buttons = new Set(buttonsOfScreens())
  expect(buttons.size).toBeGreaterThan(100)
  const known = Object.keys(ADMIN_BUTTONS)
  expect(
    [...buttons].filter((button) => !known.includes(button)),
    'add a journey and its row',
  ).toEqual([])
  expect(
    known.filter((button) => !buttons.has(button)),
    'these are no longer there',
  ).toEqual([])
})

test('[MAINT-40] a journey on our server presses each button and then checks what the server has', () => {
  const faults = presses.flatMap(({ journey, press, effect }) => {
    const source = journeyOf('server', journey)
    const at = source.indexOf(press)
    if (at === -1) return [`${journey}: nothing presses ${press}`]
    return source.includes(effect, at) ? [] : [`${journey}: after ${press} nothing checks ${effect}`]
  })
  expect(faults).toEqual([])
  expect(presses.length).toBeGreaterThan(90)
})

test('[MAINT-42] every button has its journey over the specification backend, or the reason why that has no such button', () => {
  expect(Object.keys(BASELINE_BUTTONS).sort()).toEqual(Object.keys(ADMIN_BUTTONS).sort())
  const faults = baselinePresses.filter(({ journey, press }) => !journeyOf('admin', journey).includes(press))
  expect(faults).toEqual([])
  expect(baselinePresses.length).toBeGreaterThan(50)
})

test('[MAINT-50] npm test plays each of these journeys, not only the full tier', () => {
  const isPlayed =
    (area: 'admin' | 'server') =>
    ({ journey, press }: { journey: string; press: string }) =>
      testsOf(area, journey).some((source) => source.includes(press) && !source.includes(' EDGE,'))
  expect(presses.filter((press) => !isPlayed('server')(press))).toEqual([])
  expect(baselinePresses.filter((press) => !isPlayed('admin')(press))).toEqual([])
})

/** The file and the label of each button, as they are in the source. */
function buttonsOfScreens(): string[] {
  const files = globSync('pages/admin/**/*.tsx', { cwd: WEB }).filter((path) => !path.endsWith('.test.tsx'))
  return [...files, ...SHARED].flatMap((path) => {
    const source = readFileSync(resolve(WEB, path), 'utf8')
    return [...source.matchAll(/<(Button|GoButton|button)\b/g)].map(
      ({ index, 0: { length }, 1: element }) =>
        `${path.replace('pages/admin/', '')} ${labelAfter(source, index + length, `</${element}>`)}`,
    )
  })
}

function labelAfter(source: string, from: number, end: string): string {
  let depth = 0
  let at = from
  // The end of the opening tag; an arrow of a handler is inside braces.
  for (; depth > 0 || source[at] !== '>'; at++) {
    if (source[at] === '{') depth += 1
    if (source[at] === '}') depth -= 1
  }
  return source
    .slice(at + 1, source.indexOf(end, at))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function journeyOf(area: 'admin' | 'server', name: string): string {
  return readFileSync(resolve(ROOT, `e2e/journeys/${area}/${name}.journey.ts`), 'utf8')
}

/** The tests of a journey file; what stands outside of them belongs to the one before. */
function testsOf(area: 'admin' | 'server', name: string): string[] {
  return journeyOf(area, name).split(/^(?=(?: {2})?test(?:\.describe)?\(|for \()/m)
}
