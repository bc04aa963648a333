import { dataSets, marketData } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FakeApi } from '#testkit/fake-api.ts'
import { createMarketDataApi, forgetMarketData, openMarketData } from '#testkit/market-data.ts'
import { toastsOfType } from '#testkit/toasts.ts'

let api: FakeApi

beforeEach(() => {
  api = createMarketDataApi()
})

afterEach(forgetMarketData)

describe('imported history', () => {
  test('[MKT-304] [SHELL-22] an import whose dialog is closed lists its bars once its job ends', async () => {
    let state: 'running' | 'done' = 'running'
    const gap = { from: '2024-01-01T11:40:00.000Z', to: '2024-01-01T12:00:00.000Z', missing: 20 }
    const at = '2026-01-05T10:00:00.000Z'
    const part = { instrument: 'ETHUSDT', bars: 9, from: gap.from, to: gap.to, gaps: 1 }
    const year = { name: 'year', interval: '1m', created_at: at, updated_at: at, instruments: [part] }
    api.on(dataSets.list, () => ({
      data_sets: state === 'done' ? [year] : [],
      upload_limit_bytes: 1e9,
    }))
    api.on(dataSets.upload, {
      upload_id: '00000000-0000-0000-0000-000000000001',
      filename: 'year.csv',
      bytes: 10,
      format: 'csv',
      columns: ['t', 'o', 'h', 'l', 'c'],
      sample: [],
      mapping: {
        kind: 'bars',
        has_header: true,
        open: 'o',
        high: 'h',
        low: 'l',
        close: 'c',
        time: 't',
        time_unit: 'auto',
      },
      instrument: 'ETHUSDT',
      expires_at: at,
    })
    api.on(dataSets.preview, { interval: '1m', rows_examined: 1, bars: [], bad_rows: 0, bad: [] })
    let accept = (_: Response) => {}
    api.answer(dataSets.import, () => new Promise<Response>((resolve) => (accept = resolve)))
    api.on(dataSets.progress, () => ({ job_id: 7, title: 'Import', state, progress: 0.5 }))
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    await user.upload(await screen.findByLabelText('File'), new File(['t'], 'year.csv'))
    const dialog = within(screen.getByRole('dialog', { name: 'Import Market Data' }))
    await user.click(await dialog.findByRole('button', { name: 'Import' }))
    for (const close of dialog.getAllByRole('button', { name: 'Close' })) expect(close).toBeDisabled()
    accept(Response.json({ job_id: 7 }, { status: 202 }))
    await waitFor(() => expect(dialog.getAllByRole('button', { name: 'Close' })[1]).toBeEnabled())
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[1] ?? document.body)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    state = 'done'
    expect(await screen.findByRole('button', { name: 'History gaps 1' })).toBeVisible()
  })

  test('[MKT-50] [MKT-51] [MKT-52] a file is mapped, checked and imported, and then shown', async () => {
    const guess = { open: 'o', high: 'h', low: 'l', close: 'c', time: 't', time_unit: 'auto' }
    const sets = vi.fn<() => { data_sets: never[]; upload_limit_bytes: number }>(() => ({
      data_sets: [],
      upload_limit_bytes: 1e9,
    }))
    api.on(dataSets.list, sets)
    api.on(dataSets.upload, {
      upload_id: '00000000-0000-0000-0000-000000000001',
      filename: 'ETHUSDT 2024.csv',
      bytes: 10,
      format: 'csv',
      columns: ['t', 'o', 'h', 'l', 'c'],
      sample: [['1', '2', '3', '1', '2']],
      mapping: { kind: 'bars', has_header: true, ...guess },
      instrument: 'ETHUSDT',
      expires_at: '2026-01-05T10:00:00.000Z',
    })
    api.on(dataSets.preview, { interval: '1m', rows_examined: 1, bars: [], bad_rows: 0, bad: [] })
    api.answer(dataSets.import, () => Response.json({ job_id: 7 }, { status: 202 }))
    api.on(dataSets.progress, () => ({
      job_id: 7,
      title: 'Import',
      state: 'done' as const,
      progress: 1,
      report: {
        name: 'ethusdt-2024',
        instrument: 'ETHUSDT',
        interval: '1m',
        dry_run: api.calls(dataSets.import).length === 1,
        rows: 5,
        bars: 4,
        bad_rows: 1,
        bad: [{ line: 3, reason: "close 'x' is not a number" }],
        duplicates: 0,
        rounded: 0,
        from: '2024-01-01T00:00:00.000Z',
        to: '2024-01-01T00:03:00.000Z',
        gaps: 0,
        duration_ms: 3,
      },
    }))
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    const file = new File(['t,o,h,l,c'], 'ETHUSDT 2024.csv', { type: 'text/csv' })
    await user.upload(await screen.findByLabelText('File'), file)
    const dialog = within(screen.getByRole('dialog', { name: 'Import Market Data' }))
    expect(await dialog.findByRole('textbox', { name: 'Name of the data set' })).toHaveValue('ethusdt-2024')
    expect(dialog.getByRole('combobox', { name: 'Instrument' })).toHaveValue('ETHUSDT')
    await user.click(dialog.getByRole('button', { name: 'Check File' }))
    expect(await dialog.findByText('The whole file was checked; nothing is stored yet.')).toBeVisible()
    expect(dialog.getByRole('row', { name: "3 close 'x' is not a number" })).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    await user.click(await dialog.findByRole('button', { name: 'Show on Chart' }))
    expect(api.calls(dataSets.import).map(({ body }) => body)).toMatchObject([
      { name: 'ethusdt-2024', instrument: 'ETHUSDT', dry_run: true, mapping: { time: 't', close: 'c' } },
      { dry_run: false },
    ])
    await waitFor(() => expect(api.calls(marketData.bars).at(-1)?.query).toContain('data_set=ethusdt-2024'))
  })

  test('[MKT-450] Cancel Upload aborts the request, and the same file can be chosen again', async () => {
    let signal: AbortSignal | undefined
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (init.method !== 'POST' || !url.includes('/uploads')) return answer(url, init)
      signal = init.signal ?? undefined
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal?.reason), { once: true }),
      )
    })
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Import Market Data' }))
    const file = new File(['t'], 'year.csv')
    await user.upload(await dialog.findByLabelText('File'), file)
    await user.click(await dialog.findByRole('button', { name: 'Cancel Upload' }))
    expect(await dialog.findByText('Upload cancelled. No data set was created.')).toBeVisible()
    expect(signal?.aborted).toBe(true)
    expect(toastsOfType('error')).toEqual([])
    expect(dialog.queryByRole('alert')).toBeNull()
    await user.upload(dialog.getByLabelText('File'), file)
    expect(await dialog.findByText('Uploading and reading the file…')).toBeVisible()
    expect(dialog.queryByText('Upload cancelled. No data set was created.')).toBeNull()
  })

  test('[MKT-53] [MKT-301] the gaps of imported history are counted and listed', async () => {
    const part = {
      instrument: 'ETHUSDT',
      bars: 9,
      from: '2024-01-01T00:00:00.000Z',
      to: '2024-01-02T00:00:00.000Z',
    }
    const at = '2026-01-05T10:00:00.000Z'
    api.on(dataSets.list, {
      data_sets: [
        { name: 'year', interval: '1m', created_at: at, updated_at: at, instruments: [{ ...part, gaps: 1 }] },
      ],
      upload_limit_bytes: 1e9,
    })
    api.on(dataSets.gaps, {
      gaps: [{ from: '2024-01-01T11:40:00.000Z', to: '2024-01-01T12:00:00.000Z', missing: 20 }],
      total: 1,
    })
    const { user, queryClient } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'History gaps 1' }))
    expect(
      await screen.findByRole('row', { name: '2024-01-01 11:40:00 2024-01-01 12:00:00 20' }),
    ).toBeVisible()
    api.drop(dataSets.gaps)
    await user.keyboard('{Escape}')
    queryClient.removeQueries({ queryKey: ['data-sets', 'gaps'] })
    await user.click(screen.getByRole('button', { name: 'History gaps 1' }))
    expect(await screen.findByText('The gaps could not be loaded.')).toBeVisible()
  })
})
