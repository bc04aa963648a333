import { strategies } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { problemReply } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { aStrategy } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(strategies.list, { strategies: [aStrategy()] })
})

afterEach(clearToasts)

async function openDialog() {
  const { user } = renderConsole('/trader/strategies')
  await user.click(await screen.findByRole('button', { name: 'Add New Strategy' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Strategy' }))
  return { user, dialog, submit: dialog.getByRole('button', { name: 'Add Strategy' }) }
}

describe('adding a strategy', () => {
  test('[STRAT-7] [STRAT-8] the modal has name, type and description, Cancel and Add Strategy', async () => {
    const { user, dialog } = await openDialog()
    expect(dialog.getByLabelText('Name')).toHaveValue('')
    expect(dialog.getByLabelText('Description')).toHaveValue('')
    expect(dialog.getByLabelText('Type')).toHaveValue('momentum')
    const types = within(dialog.getByLabelText('Type')).getAllByRole('option')
    expect(types.map((type) => type.textContent)).toEqual([
      'momentum',
      'mean_reversion',
      'arbitrage',
      'market_making',
      'custom',
    ])
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(strategies.add)).toEqual([])
  })

  test('[STRAT-9] Add Strategy waits for a name', async () => {
    const { user, dialog, submit } = await openDialog()
    expect(submit).toBeDisabled()
    await user.type(dialog.getByLabelText('Description'), 'no name yet{enter}')
    expect(submit).toBeDisabled()
    await user.type(dialog.getByLabelText('Name'), 'x')
    expect(submit).toBeEnabled()
    await user.clear(dialog.getByLabelText('Name'))
    expect(submit).toBeDisabled()
    await user.type(dialog.getByLabelText('Name'), '{enter}')
    expect(api.calls(strategies.add)).toEqual([])
  })

  test('[STRAT-10] [STRAT-11] an OK closes the modal, resets the form and loads the list', async () => {
    const { user, dialog, submit } = await openDialog()
    api.answer(strategies.add, () => new Response(null, { status: 204 }))
    api.on(strategies.list, { strategies: [aStrategy({ id: 'S-2', name: 'Quay maker' })] })
    await user.type(dialog.getByLabelText('Name'), 'Quay maker')
    await user.selectOptions(dialog.getByLabelText('Type'), 'market_making')
    await user.type(dialog.getByLabelText('Description'), 'Quotes both sides')
    await user.dblClick(submit)
    expect(await screen.findByRole('region', { name: 'Quay maker' })).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.calls(strategies.add).map(({ body }) => body)).toEqual([
      { name: 'Quay maker', type: 'market_making', description: 'Quotes both sides', config: {} },
    ])
    await user.click(screen.getByRole('button', { name: 'Add New Strategy' }))
    expect(await screen.findByLabelText('Name')).toHaveValue('')
    expect(screen.getByLabelText('Type')).toHaveValue('momentum')
    expect(screen.getByLabelText('Description')).toHaveValue('')
  })

  test('[CLIENT-10] a bare failure is logged and leaves the modal as it was', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, dialog, submit } = await openDialog()
    api.drop(strategies.add)
    await user.type(dialog.getByLabelText('Name'), 'Quay maker')
    await user.click(submit)
    await waitFor(() =>
      expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'Failed to fetch' })),
    )
    expect(dialog.getByLabelText('Name')).toHaveValue('Quay maker')
    expect(toastsOfType('error')).toEqual([])
  })

  test('[CLIENT-12] a problem is shown', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { user, dialog, submit } = await openDialog()
    api.answer(strategies.add, () => problemReply(409, 'There is a strategy of that name already.'))
    await user.type(dialog.getByLabelText('Name'), 'Harbour momentum')
    await user.click(submit)
    expect(await screen.findByRole('alert')).toHaveTextContent('There is a strategy of that name already.')
  })
})
