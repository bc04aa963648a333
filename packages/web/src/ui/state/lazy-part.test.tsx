import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { watchStyles } from '#ui/control/load-failures.ts'
import { LazyBoundary, lazyPart } from './lazy-part.tsx'

let isServerUp: boolean
let loads: number

async function load() {
  loads++
  if (!isServerUp) throw new TypeError('Failed to fetch dynamically imported module')
  return () => <p>The part</p>
}

beforeEach(() => {
  isServerUp = false
  loads = 0
  // React prints every error that a boundary shows.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  return () => vi.restoreAllMocks()
})

test('[SHELL-300] a part that could not load leaves what is around it, and is loaded by Try again', async () => {
  const Part = lazyPart(load)
  const user = userEvent.setup()
  render(
    <>
      <p>The rest</p>
      <LazyBoundary>
        <Part />
      </LazyBoundary>
    </>,
  )
  expect(await screen.findByRole('alert')).toHaveTextContent('Could not load.')
  expect(screen.getByText('The rest')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Could not load.')
  isServerUp = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The part')).toBeVisible()
  expect(loads).toBe(3)
})

test('[SHELL-300] a part that could not load is loaded when it is opened again', async () => {
  const Part = lazyPart(load)
  const open = (
    <LazyBoundary resetKey="open">
      <Part />
    </LazyBoundary>
  )
  const { rerender } = render(open)
  await screen.findByRole('alert')
  isServerUp = true
  rerender(<LazyBoundary resetKey="closed">{null}</LazyBoundary>)
  rerender(open)
  expect(await screen.findByText('The part')).toBeVisible()
})

test('[FAIL-1] code that fails is not shown as a failed load', () => {
  const Failing = () => {
    throw new Error('planted failure')
  }
  expect(() =>
    render(
      <LazyBoundary>
        <Failing />
      </LazyBoundary>,
    ),
  ).toThrow('planted failure')
})

test('[SHELL-300] a style sheet that did not load is requested again with the next part', async () => {
  const stop = watchStyles(document)
  const failed = document.createElement('link')
  failed.rel = 'stylesheet'
  failed.setAttribute('href', '/assets/part.css')
  document.head.append(failed)
  failed.dispatchEvent(new Event('error'))
  isServerUp = true
  const loading = lazyPart(load).load()
  const again = document.querySelector('link[href="/assets/part.css"]')
  expect(again).not.toBe(failed)
  expect(loads).toBe(0)
  again?.dispatchEvent(new Event('load'))
  await loading
  expect(loads).toBe(1)
  again?.remove()
  stop()
})
