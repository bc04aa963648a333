import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { useUnsaved } from './unsaved.ts'

const onLeave = vi.fn<(leave: () => void) => void>()

function Form() {
  const [text, setText] = useState('')
  useUnsaved(text !== '', { onLeave })
  return (
    <>
      <Link to="?tab=other">Other tab</Link>
      <input aria-label="Text" value={text} onChange={({ target }) => setText(target.value)} />
    </>
  )
}

beforeEach(() => {
  onLeave.mockReset()
  window.history.replaceState(null, '', '/list')
})

async function openForm() {
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/list" element={<Link to="/form">Form</Link>} />
        <Route path="/form" element={<Form />} />
      </Routes>
    </BrowserRouter>,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('link', { name: 'Form' }))
  return { user, input: screen.getByLabelText('Text') }
}

test('[SHELL-112] Back keeps what was typed until it is discarded', async () => {
  const { user, input } = await openForm()
  await user.type(input, 'typed')
  window.history.back()
  await waitFor(() => expect(onLeave).toHaveBeenCalledOnce())
  await waitFor(() => expect(window.location.pathname).toBe('/form'))
  expect(input).toHaveValue('typed')
  expect(input).toBeInTheDocument()
  // As Discard does.
  onLeave.mock.calls[0]?.[0]()
  expect(await screen.findByRole('link', { name: 'Form' })).toBeVisible()
  expect(window.location.pathname).toBe('/list')
})

test('[SHELL-112] Back within the screen does not ask, and then Back to another does', async () => {
  const { user, input } = await openForm()
  await user.type(input, 'typed')
  await user.click(screen.getByRole('link', { name: 'Other tab' }))
  expect(window.location.search).toBe('?tab=other')
  window.history.back()
  await waitFor(() => expect(window.location.search).toBe(''))
  expect(onLeave).not.toHaveBeenCalled()
  window.history.back()
  await waitFor(() => expect(onLeave).toHaveBeenCalledOnce())
  await waitFor(() => expect(window.location.pathname).toBe('/form'))
  expect(input).toBeInTheDocument()
})

test('[SHELL-112] Back without input goes back', async () => {
  await openForm()
  window.history.back()
  expect(await screen.findByRole('link', { name: 'Form' })).toBeVisible()
  expect(onLeave).not.toHaveBeenCalled()
})
