import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, type Page, type TestInfo, test } from '@playwright/test'
import type { AxeResults, ContextObject, RunOptions } from 'axe-core'
import { switchTheme, type Theme } from './pages/theme.ts'
import { isFullTier } from './tier.ts'

declare global {
  interface Window {
    axe?: { run(context: ContextObject, options: RunOptions): Promise<AxeResults> }
  }
}

const DESK = { width: 1400, height: 900 }
export const PHONE = { width: 390, height: 844 }

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeOptions {
  /** Rules that do not apply to what is shown. */
  except?: string[]
  /** Whether the sample looks at the rail as well. */
  rail?: boolean
}

/** The rows of a long table or list are alike, and journeys before this one may have filled it. */
const REPEATED = ['tbody tr:nth-child(n + 13)', 'main li:nth-child(n + 13)']

/** The same on every screen, and more than half of the elements of a small one; the tour looks at it once. */
const RAIL = 'nav[aria-label="Screens"]'

type Width = 'phone' | 'desk'

/** Colours depend on the theme and structure on the width, so the sample tries each of them once. */
const LOOKS: readonly (readonly [Theme, Width])[] = isFullTier()
  ? [
      ['dark', 'phone'],
      ['dark', 'desk'],
      ['light', 'phone'],
      ['light', 'desk'],
    ]
  : [
      ['dark', 'phone'],
      ['light', 'desk'],
    ]

/** Runs axe on the page as it is shown now, in light and dark, at desk and phone width, and leaves it light and wide. */
export async function expectAccessible(page: Page, options: AxeOptions = {}): Promise<void> {
  await expectAccessibleIn(LOOKS, page, options)
}

const turns = new WeakMap<TestInfo, number>()

/**
 * For a further state of a screen that the journeys of a file have looked at with `expectAccessible`: the sample takes
 * one look at it, and the states of a journey take turns. Leaves the page light and wide.
 */
export async function expectStateAccessible(page: Page): Promise<void> {
  if (isFullTier()) return expectAccessible(page)
  const turn = turns.get(test.info()) ?? test.info().title.length
  turns.set(test.info(), turn + 1)
  await expectAccessibleIn(LOOKS.slice(turn % LOOKS.length).slice(0, 1), page, {})
  await switchTheme(page, 'light')
  await page.setViewportSize(DESK)
}

async function expectAccessibleIn(looks: typeof LOOKS, page: Page, options: AxeOptions): Promise<void> {
  for (const [theme, width] of looks) {
    await switchTheme(page, theme)
    await test.step(`${theme}, ${width}`, async () => {
      await page.setViewportSize(width === 'phone' ? PHONE : DESK)
      if (width === 'phone') await expectNoSidewaysScroll(page)
      await expectNoViolations(page, options)
    })
  }
}

/** Fails with the rule, the help text and the elements of each violation; the test continues to find more. */
export async function expectNoViolations(
  page: Page,
  { except = [], rail = false }: AxeOptions = {},
): Promise<void> {
  const exclude = rail || isFullTier() ? REPEATED : [...REPEATED, RAIL]
  // Loading axe takes longer than running it, so a page that stays open loads it once.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(await readAxe())
  const findViolations = () =>
    page.evaluate(
      async ({ ids, exclude }) => {
        const rules = Object.fromEntries(ids.map((id) => [id, { enabled: false }]))
        const context = { include: [['html']], exclude: exclude.map((selector) => [selector]) }
        const results = await window.axe?.run(context, { rules, resultTypes: ['violations'] })
        if (results === undefined || results.passes.length === 0) return ['axe did not run']
        return results.violations.flatMap(({ id, help, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${help}\n    ${html}\n    ${failureSummary}`),
        )
      },
      { ids: except, exclude },
    )
  // Run again while the page may still change to another theme or width.
  const soft = expect.configure({ soft: true })
  await soft.poll(findViolations, { message: `axe on ${page.url()}`, intervals: [500] }).toEqual([])
}

/** The page itself must not scroll sideways; a table inside it may. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overhang = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth - clientWidth
    })
  // Charts and tables follow the width of the window after it has changed.
  await expect.poll(overhang, `pixels ${page.url()} is wider than the window`).toBe(0)
}

let source: Promise<string> | undefined

function readAxe(): Promise<string> {
  source ??= readFile(AXE_FILE, 'utf8')
  return source
}
