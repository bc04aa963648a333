import { expect, test } from 'vitest'
import { createOutputQueue } from './output-queue.mjs'

test('the first writer is shown at once, the others after those before them have ended', () => {
  const shown: string[] = []
  const [first, second, third] = createOutputQueue((chunk) => shown.push(String(chunk)), 3)
  second?.write('2')
  first?.write('1')
  third?.write('3')
  third?.end()
  expect(shown.join('')).toBe('1')
  first?.write('1')
  first?.end()
  expect(shown.join('')).toBe('112')
  second?.write('2')
  expect(shown.join('')).toBe('1122')
  second?.end()
  expect(shown.join('')).toBe('11223')
})
