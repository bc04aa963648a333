import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'

function Opener() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Providers>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Dialog title="First one" opened={isOpen} onClose={() => setIsOpen(false)}>
        <button type="button">Inside</button>
      </Dialog>
    </Providers>
  )
}

/** Alone in its file, so that the code of the modal is not loaded yet. */
test('[SHELL-42] the first dialog loads its code, and closing it returns the focus', async () => {
  const user = userEvent.setup()
  render(<Opener />)
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByRole('dialog', { name: 'First one' })).toBeVisible()
  await user.keyboard('{Escape}')
  await expect.poll(() => document.activeElement?.textContent).toBe('Open')
  expect(screen.queryByRole('dialog')).toBeNull()
})

/** Browsers run React's work between two listeners of one event; a script that dispatches one does not. */
function renderBetweenListeners() {
  const add = window.addEventListener.bind(window)
  const remove = window.removeEventListener.bind(window)
  const wrapped = new Map<unknown, (event: Event) => void>()
  vi.spyOn(window, 'addEventListener').mockImplementation(
    (type: string, listener: unknown, options: unknown) => {
      const call = (event: Event) => {
        if (typeof listener === 'function') listener(event)
        if (type === 'keydown') flushSync(() => {})
      }
      wrapped.set(listener, call)
      add(type, call, options as AddEventListenerOptions)
    },
  )
  vi.spyOn(window, 'removeEventListener').mockImplementation(
    (type: string, listener: unknown, options: unknown) =>
      remove(type, wrapped.get(listener) ?? (listener as EventListener), options as EventListenerOptions),
  )
}

afterEach(() => vi.restoreAllMocks())

function Form() {
  const [isOpen, setIsOpen] = useState(true)
  const [size, setSize] = useState('0.001')
  return (
    <Providers>
      <Dialog title="Size" opened={isOpen} onClose={() => setIsOpen(false)}>
        <form>
          <TextField label="Lots" type="number" value={size} onChange={setSize} />
        </form>
      </Dialog>
    </Providers>
  )
}

test('[SHELL-23] [SHELL-50] Esc in a changed form asks, and the next Esc closes the question alone', async () => {
  renderBetweenListeners()
  const user = userEvent.setup()
  render(<Form />)
  const field = await screen.findByLabelText('Lots')
  await user.clear(field)
  await user.type(field, '5')
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('dialog', { name: 'Discard your changes?' })).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull())
  expect(screen.getByLabelText('Lots')).toHaveValue(5)
})

test('[SHELL-51] typing in a number that got the focus replaces it; a click only puts the caret', async () => {
  const user = userEvent.setup()
  render(<Form />)
  const field = await screen.findByLabelText('Lots')
  act(() => field.blur())
  await user.click(field)
  await user.keyboard('5')
  expect(field).toHaveValue(0.0015)
  act(() => field.blur())
  act(() => field.focus())
  await user.keyboard('0.2')
  expect(field).toHaveValue(0.2)
})
