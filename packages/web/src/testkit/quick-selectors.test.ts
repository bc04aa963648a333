import { expect, onTestFinished, test } from 'vitest'
import { compileList, quickenSelectors } from './quick-selectors.ts'

const ELEMENTS = `
  <main><h1 title="">Orders</h1><p hidden>text</p><a>no link</a><a href="">link</a></main>
  <input><input type="text"><input type="submit"><input type="TEXT"><input type="text" list="x"><input type="checkbox" checked>
  <div role="alert  status"></div><div role="status"></div><div role="statusbar"></div><button role=""></button>
  <svg><title>t</title><linearGradient></linearGradient></svg><style></style><script></script>`

const LISTS = [
  '*',
  'label,input',
  'script, style',
  'input[type=submit], input[type=button]',
  '*[role~="status"],output',
  '[title]',
  'a[href]',
  'input[type="text"]:not([list])',
  'input[type="TEXT"]',
  'input:not([type])',
  '[role]:not([role=""])',
  'h1[title=""]',
]

const OTHERS = ['main > p', '.a', '#a', 'p:first-child', '[title^="a"]', 'p a', '', 'a:not(p)', ':root']

test('an element is found by tags and attributes as jsdom finds it', () => {
  const frames = [document.createElement('iframe'), document.createElement('iframe')]
  document.body.append(...frames)
  onTestFinished(() => {
    for (const frame of frames) frame.remove()
  })
  const [own, quick] = frames.map(({ contentDocument }) => {
    if (!contentDocument?.defaultView) throw new Error('The frame has no window')
    contentDocument.body.innerHTML = ELEMENTS
    return contentDocument
  })
  if (!own || !quick?.defaultView) throw new Error('A frame is missing')
  quickenSelectors(quick.defaultView)
  for (const selector of LISTS) {
    expect(compileList(selector), selector).toBeDefined()
    const found = [...own.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML)
    expect(found.length, selector).toBeGreaterThan(0)
    expect(
      [...quick.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML),
      selector,
    ).toEqual(found)
    const matched = [...quick.querySelectorAll('*')].filter((element) => element.matches(selector))
    expect(
      matched.map(({ outerHTML }) => outerHTML),
      selector,
    ).toEqual(found)
  }
})

test.each(OTHERS)("'%s' is left to jsdom", (selector) => {
  expect(compileList(selector)).toBeUndefined()
})
