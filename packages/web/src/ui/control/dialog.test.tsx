import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { Dialog } from './dialog.tsx'

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
