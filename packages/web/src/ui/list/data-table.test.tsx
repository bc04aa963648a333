import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Providers } from '#app/providers.tsx'
import { DataTable } from './data-table.tsx'

const columns = [
  { title: 'Name', value: (name: string) => name, cell: (name: string) => name },
  { title: 'Act', cell: (name: string) => <button type="button">{`Act on ${name}`}</button> },
]

const tableOf = (rows: readonly string[]) => (
  <Providers>
    <DataTable label="Names" columns={columns} rows={rows} rowKey={String} />
  </Providers>
)

const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstChild?.textContent)

test('[ORD-35] rows do not move while the pointer is over them', async () => {
  const user = userEvent.setup()
  const { rerender } = render(tableOf(['a', 'b']))
  await user.hover(screen.getByRole('cell', { name: 'b' }))
  rerender(tableOf(['new', 'b', 'a']))
  expect(shown()).toEqual(['a', 'b', 'new'])
  await user.unhover(screen.getByRole('cell', { name: 'b' }))
  expect(shown()).toEqual(['new', 'b', 'a'])
})

test('[ORD-35] rows do not move while one has the focus', async () => {
  const user = userEvent.setup()
  const { rerender } = render(tableOf(['a', 'b']))
  screen.getByRole('button', { name: 'Act on a' }).focus()
  rerender(tableOf(['b', 'a']))
  expect(shown()).toEqual(['a', 'b'])
  await user.click(screen.getByRole('searchbox'))
  expect(shown()).toEqual(['b', 'a'])
})
