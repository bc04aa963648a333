import { expect, onTestFinished, test } from 'vitest'
import { answerFromMemory } from './computed-style.ts'

const PROPERTIES = [
  'display',
  'visibility',
  'opacity',
  'pointerEvents',
  'direction',
  'color',
  'overflow',
] as const

const ELEMENTS = [
  '<p></p>',
  '<span></span>',
  '<span hidden></span>',
  '<span style="--gap: 1px"></span>',
  '<span style="display: none"></span>',
  '<span style="display: inherit"></span>',
  '<span style="visibility: hidden"></span>',
  '<div style="visibility: hidden"><p></p></div>',
  '<div style="visibility: hidden"><p style="visibility: visible"></p></div>',
  '<div style="opacity: 0"><p></p></div>',
  '<div style="pointer-events: none"><p></p></div>',
  '<div dir="rtl"><p></p></div>',
  '<input>',
  '<input type="hidden">',
  '<dialog></dialog>',
  '<dialog open></dialog>',
  '<svg></svg>',
  '<table><tbody><tr><td></td></tr></tbody></table>',
  '<table><tbody><tr hidden><td></td></tr></tbody></table>',
]

test.each([
  ['without a sheet', ''],
  ['with a sheet about other properties', '<style>p { overflow: hidden }</style>'],
  ['with a sheet of the document', '<style>p, span { display: flex; visibility: hidden }</style>'],
])('%s, the values are those that jsdom computes', (_, sheet) => {
  // Its window computes styles as jsdom does.
  const frame = document.createElement('iframe')
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  const view = frame.contentDocument?.defaultView
  if (!view) throw new Error('The frame has no window')
  view.document.head.innerHTML = sheet
  view.document.body.innerHTML = [...ELEMENTS, ...ELEMENTS].join('')
  const answer = answerFromMemory((element) => view.getComputedStyle(element))
  for (const element of view.document.body.querySelectorAll('*')) {
    const computed = view.getComputedStyle(element)
    const name = element.outerHTML
    for (const property of PROPERTIES)
      expect(answer(element)[property], `${property} of ${name}`).toBe(computed[property])
    expect(answer(element).getPropertyValue('display'), name).toBe(computed.display)
    expect(answer(element).getPropertyValue('pointer-events'), name).toBe(computed.pointerEvents)
  }
})
