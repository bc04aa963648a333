import { expect, test } from 'vitest'
import { placeLabels } from './own-lines.tsx'

/** A label whose size must not be read. */
function aLabel(price: number): HTMLElement {
  const label = document.createElement('span')
  label.setAttribute('data-price', String(price))
  const refuse = () => {
    throw new Error('the size was read')
  }
  Object.defineProperty(label, 'offsetHeight', { get: refuse })
  label.getBoundingClientRect = refuse
  return label
}

test('[MKT-58] a label is centred on its price without reading its size, and hidden outside of the chart', () => {
  const overlay = document.createElement('div')
  const inside = aLabel(100)
  const outside = aLabel(200)
  overlay.append(inside, outside)
  placeLabels(overlay, (price) => (price === 100 ? 40.4 : undefined))
  expect(inside.style.transform).toBe('translateY(40px) translateY(-50%)')
  expect(inside.style.visibility).toBe('visible')
  expect(outside.style.visibility).toBe('hidden')
})

test('[SHELL-87] a label at the height of the legend is on the other side of the chart', () => {
  const overlay = document.createElement('div')
  const label = aLabel(100)
  overlay.append(label)
  placeLabels(overlay, () => 30)
  expect(label).toHaveAttribute('data-beside-legend')
  placeLabels(overlay, () => 80)
  expect(label).not.toHaveAttribute('data-beside-legend')
})
