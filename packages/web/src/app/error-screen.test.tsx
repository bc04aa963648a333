import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Providers } from './providers.tsx'

beforeEach(() => {
  // React prints every error that a boundary shows.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

test('[FAIL-300] a screen that did not load is loaded by Try again', async () => {
  let isServerUp = false
  const Screen = lazyPart(async () => {
    if (!isServerUp) throw new TypeError('Failed to fetch dynamically imported module')
    return () => <p>The screen</p>
  })
  const user = userEvent.setup()
  render(
    <Providers>
      <Screen />
    </Providers>,
  )
  expect(await screen.findByRole('alert')).toHaveTextContent('An unexpected error occurred.')
  expect(screen.getByRole('button', { name: 'Reload Page' })).toBeVisible()
  isServerUp = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The screen')).toBeVisible()
})

test('[FAIL-300] a screen whose code fails does not offer to load it again', () => {
  const Failing = () => {
    throw new Error('planted failure')
  }
  render(
    <Providers>
      <Failing />
    </Providers>,
  )
  expect(screen.getByRole('alert')).toHaveTextContent('Error: planted failure')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
