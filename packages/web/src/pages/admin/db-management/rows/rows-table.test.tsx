import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { RowsTable } from './rows-table.tsx'

const server = vi.hoisted(() => ({ isUp: false }))

vi.mock('./value-dialog.tsx', () => {
  if (!server.isUp) throw new TypeError('Failed to fetch dynamically imported module')
  return { ValueDialog: ({ value }: { value: unknown }) => (value === undefined ? null : <p>The value</p>) }
})

test('[SHELL-450] a dialog whose code did not load leaves the table, and is loaded when it is opened', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const user = userEvent.setup()
  const text = 'long '.repeat(100)
  render(
    <Providers>
      <RowsTable label="Rows" rows={[{ text }]} />
    </Providers>,
  )
  expect(await screen.findByText('Could not load.')).toBeVisible()
  expect(screen.getByRole('table', { name: 'Rows' })).toBeVisible()
  server.isUp = true
  await user.click(screen.getByRole('button', { name: /long/ }))
  expect(await screen.findByText('The value')).toBeVisible()
  expect(screen.queryByText('Could not load.')).not.toBeInTheDocument()
})
