import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { RowsTable } from './rows-table.tsx'
import type { ValueDialogProps } from './value-dialog.tsx'

test('[SHELL-450] a dialog whose code did not load leaves the table, and is loaded when it is opened', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let isServerUp = false
  const Dialog = lazyPart(async () => {
    if (!isServerUp) throw new TypeError('Failed to fetch dynamically imported module')
    return ({ value }: ValueDialogProps) => value && <p>The value</p>
  })
  const user = userEvent.setup()
  const text = 'long '.repeat(100)
  render(
    <Providers>
      <RowsTable label="Rows" rows={[{ text }]} Dialog={Dialog} />
    </Providers>,
  )
  expect(await screen.findByText('Could not load.')).toBeVisible()
  expect(screen.getByRole('table', { name: 'Rows' })).toBeVisible()
  isServerUp = true
  await user.click(screen.getByRole('button', { name: /long/ }))
  expect(await screen.findByText('The value')).toBeVisible()
  expect(screen.queryByText('Could not load.')).not.toBeInTheDocument()
})
