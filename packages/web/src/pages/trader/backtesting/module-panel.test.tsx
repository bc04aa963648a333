import {
  type Backtest,
  backtests,
  service,
  strategies,
  strategyModules,
  strategyTypes,
} from '@binnacle/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { EditorView } from '@uiw/react-codemirror'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { moduleDrafts } from '#state/module-drafts.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { aRun } from './testkit.ts'

let api: FakeApi
let runs: Backtest[]

const MODULE = {
  name: 'mine.ts',
  version: 2,
  updated_at: '2026-02-03T10:00:00.000Z',
  source: 'export const createStrategy = 1',
  hash: 'abc',
  versions: [
    { version: 2, saved_at: '2026-02-03T10:00:00.000Z', saved_by: 'local', chars: 31 },
    { version: 1, saved_at: '2026-02-02T10:00:00.000Z', saved_by: 'local', chars: 5 },
  ],
}

beforeEach(() => {
  api = createFakeApi()
  runs = []
  api.on(service.capabilities, {
    version: 'v1.0.0',
    capabilities: ['backtesting', 'sweeps', 'strategy-types', 'problems'],
  })
  api.on(strategyTypes.list, {
    strategy_types: [
      {
        type: 'custom',
        title: 'Custom',
        about: '',
        earns_when: '',
        loses_when: '',
        parameters: [
          { name: 'module', kind: 'text', sentence: '', default: 'example.ts' },
          { name: 'instruments', kind: 'instruments', sentence: '', default: ['BTCUSDT'] },
        ],
      },
    ],
  })
  const period = { instrument: 'BTCUSDT', from: '2026-01-01T00:00:00.000Z', to: '2026-02-03T00:00:00.000Z' }
  api.on(backtests.recorded, { recorded: [period] })
  api.on(backtests.list, () => ({ backtests: runs }))
  api.answer(backtests.get, () => Response.json(runs[0]))
  api.on(strategyModules.list, {
    modules: [MODULE],
    template: 'a template',
    types: 'export interface Desk {}',
  })
  api.on(strategyModules.get, MODULE)
  api.on(strategyModules.check, { error: null })
  api.on(strategyModules.save, { ...MODULE, version: 3 })
})

afterEach(() => {
  clearToasts()
  moduleDrafts.clear()
})

async function openEditor(address = '?module=mine.ts') {
  const view = renderConsole(`/trader/backtesting${address}`)
  const editor = await screen.findByRole('textbox', { name: /^Source of/ })
  return { ...view, editor }
}

/** Replaces the text as typing does. Returns how the time ends in which the editor takes no other text. */
function type(editor: HTMLElement, text: string): () => void {
  const view = EditorView.findFromDOM(editor)
  if (view === null) throw new Error('not an editor')
  const started = vi.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => {}, 0))
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }))
  const tick = started.mock.calls.find(([, ms]) => ms === 1)?.[0]
  started.mockRestore()
  return () => {
    if (typeof tick !== 'function') throw new Error('no time was measured')
    for (let ms = 0; ms < 1_000; ms++) tick()
  }
}

const panel = () => within(screen.getByRole('region', { name: 'Strategy editor' }))

describe('the strategy editor', () => {
  test('[EDIT-3] an error of the check is shown with its line', async () => {
    api.on(strategyModules.check, { error: { message: 'SyntaxError: unexpected', line: 1 } })
    const { user, editor } = await openEditor()
    expect(editor).toHaveTextContent('export const createStrategy = 1')
    await user.click(panel().getByRole('button', { name: 'Check' }))
    expect(await panel().findByText('Line 1: SyntaxError: unexpected')).toBeVisible()
    expect(api.calls(strategyModules.check)[0]?.body).toEqual({ source: MODULE.source })
    expect(panel().getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  test('[EDIT-2] [EDIT-4] an earlier version is opened, checked and saved on the one it replaces', async () => {
    api.on(strategyModules.version, { source: 'older' })
    const { user } = await openEditor()
    await user.selectOptions(panel().getByLabelText('Versions'), 'Version 1, 2026-02-02 10:00')
    await user.click(await panel().findByText('not saved'))
    await user.click(panel().getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['mine.ts was saved.']))
    expect(api.calls(strategyModules.save)[0]).toMatchObject({
      path: '/api/strategy-modules/mine.ts',
      body: { source: 'older', base: 'abc' },
    })
  })

  test('[EDIT-330] a version that could not be loaded is named as such, and the text stays', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    api.drop(strategyModules.version)
    const { user, editor } = await openEditor()
    await user.selectOptions(panel().getByLabelText('Versions'), 'Version 1, 2026-02-02 10:00')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['The version could not be loaded.']))
    expect(editor).toHaveTextContent('export const createStrategy = 1')
  })

  test('[EDIT-6] text that is not saved is discarded only after a question', async () => {
    api.on(strategyModules.version, { source: 'older' })
    const { user } = await openEditor()
    await user.selectOptions(panel().getByLabelText('Versions'), 'Version 1, 2026-02-02 10:00')
    await panel().findByText('not saved')
    await user.click(panel().getByRole('button', { name: 'Close' }))
    const question = await screen.findByRole('dialog', { name: 'Discard the changes to mine.ts?' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(screen.getByRole('textbox', { name: 'Source of mine.ts' })).toHaveTextContent('older')
    await user.click(panel().getByRole('button', { name: 'Close' }))
    const again = await screen.findByRole('dialog', { name: 'Discard the changes to mine.ts?' })
    await user.click(within(again).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Strategy editor' })).toBeNull())
  })

  test('[BT-132] another screen is opened, or the tab closed, only after a question', async () => {
    const closeTab = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const { user, editor } = await openEditor()
    expect(closeTab()).toBe(true)
    act(type(editor, 'typed'))
    expect(closeTab()).toBe(false)
    // In the rail; the bottom bar has one too.
    const orders = () => screen.getAllByRole('link', { name: 'Orders' })[0] ?? editor
    await user.click(orders())
    const question = await screen.findByRole('dialog', { name: 'Discard the changes to mine.ts?' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/backtesting')
    expect(editor).toHaveTextContent(/^typed$/)
    await user.click(orders())
    const again = await screen.findByRole('dialog', { name: 'Discard the changes to mine.ts?' })
    await user.click(within(again).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
    expect(moduleDrafts.find('mine.ts')).toBeUndefined()
    expect(closeTab()).toBe(true)
  })

  test('[BT-144] text that was left without a question is open again, on the file that it changed', async () => {
    const first = await openEditor()
    act(type(first.editor, 'typed'))
    // As by the browser's Back.
    first.unmount()
    api.on(strategyModules.get, { ...MODULE, source: 'of somebody else', hash: 'def' })
    const { user, editor } = await openEditor()
    expect(editor).toHaveTextContent(/^typed$/)
    const note = 'The text that you left without saving is open again.'
    expect(panel().getByText(note)).toBeVisible()
    await user.click(panel().getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['mine.ts was saved.']))
    expect(api.calls(strategyModules.save)[0]?.body).toEqual({ source: 'typed', base: 'abc' })
    await waitFor(() => expect(panel().queryByText(note)).toBeNull())
    expect(moduleDrafts.find('mine.ts')).toBeUndefined()
  })

  test('[BT-144] text that is typed while it is saved is a change of what was saved', () => {
    moduleDrafts.keep('mine-2.ts', { source: 'later', base: null })
    moduleDrafts.markSaved('mine-2.ts', { name: 'breakout.ts', source: 'typed', hash: 'def' })
    expect(moduleDrafts.find('mine-2.ts')).toBeUndefined()
    expect(moduleDrafts.find('breakout.ts')).toEqual({ source: 'later', base: 'def' })
  })

  test('[EDIT-1] a new module begins with the template under a free name', async () => {
    const { user } = await openEditor()
    await user.click(panel().getByRole('button', { name: 'New module' }))
    expect(await screen.findByRole('textbox', { name: 'Source of mine-2.ts' })).toHaveTextContent(
      'a template',
    )
    await user.clear(panel().getByLabelText('Name'))
    await user.type(panel().getByLabelText('Name'), 'breakout.ts')
    await user.click(panel().getByRole('button', { name: 'Save' }))
    expect(api.calls(strategyModules.get).map(({ path }) => path)).toEqual(['/api/strategy-modules/mine.ts'])
    await waitFor(() =>
      expect(api.calls(strategyModules.save)[0]).toMatchObject({
        path: '/api/strategy-modules/breakout.ts',
        body: { source: 'a template', base: null },
      }),
    )
  })

  test('[EDIT-331] a save whose answer was lost says so, also once the list has the new module', async () => {
    const stored = { ...MODULE, name: 'new.ts', source: 'a template' }
    api.answer(strategyModules.save, () => {
      api.on(strategyModules.list, { modules: [MODULE, stored], template: 'a template', types: '' })
      api.on(strategyModules.get, stored)
      return new Response('Bad gateway', { status: 502 })
    })
    const { user } = await openEditor('?module=new.ts')
    await user.click(panel().getByRole('button', { name: 'Save' }))
    // A stored module has versions.
    expect(await panel().findByLabelText('Versions')).toBeVisible()
    expect(panel().getByText(/^No answer\. The module may have been saved/)).toBeVisible()
    expect(panel().getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  test('[EDIT-5] a module is backtested, and the error of the run is at its line', async () => {
    const error = 'mine.ts failed: TypeError: x (mine.ts:1)'
    api.answer(backtests.start, () => {
      runs = [aRun(9, { status: 'failed', result: null, error })]
      return Response.json(runs[0], { status: 202 })
    })
    const { user } = await openEditor()
    await user.click(panel().getByRole('button', { name: 'Backtest' }))
    expect(await panel().findByText(`Line 1: ${error}`)).toBeVisible()
    expect(api.calls(backtests.start)[0]?.body).toMatchObject({
      strategy: { type: 'custom', config: { module: 'mine.ts' } },
      instruments: ['BTCUSDT'],
      from: '2026-01-04T00:00:00.000Z',
    })
  })

  test('[BT-130] text that is saved while it is typed stays in the editor', async () => {
    let saved = MODULE
    const loaded = Promise.withResolvers<void>()
    api.answer(strategyModules.get, async () => {
      if (saved !== MODULE) await loaded.promise
      return Response.json(saved)
    })
    api.answer(strategyModules.save, () => {
      saved = { ...MODULE, source: 'typed', hash: 'def', version: 3 }
      return Response.json(saved)
    })
    const { editor } = await openEditor()
    const endTyping = type(editor, 'typed')
    fireEvent.keyDown(editor, { key: 's', ctrlKey: true })
    await waitFor(() => expect(toastsOfType('success')).toEqual(['mine.ts was saved.']))
    expect(api.calls(strategyModules.save)[0]?.body).toMatchObject({ source: 'typed' })
    // What the answer changes is drawn.
    await act(async () => {})
    act(endTyping)
    expect(editor).toHaveTextContent(/^typed$/)
    loaded.resolve()
    await waitFor(() => expect(panel().queryByText('not saved')).toBeNull())
    expect(panel().getByRole('button', { name: 'Save' })).toBeDisabled()
    expect(editor).toHaveTextContent(/^typed$/)
  })

  test('[BT-131] a new module is renamed, saved and backtested at once, and stays open', async () => {
    let modules = [MODULE]
    api.on(strategyModules.list, () => ({ modules, template: 'a template', types: '' }))
    api.answer(strategyModules.get, () => Response.json(modules.at(-1)))
    api.answer(strategyModules.save, () => {
      modules = [MODULE, { ...MODULE, name: 'trial.ts', source: 'typed' }]
      return Response.json(modules[1])
    })
    api.answer(backtests.start, () => {
      runs = [aRun(9)]
      return Response.json(runs[0], { status: 202 })
    })
    const { user, editor } = await openEditor('?module=new.ts')
    expect(editor).toHaveTextContent('a template')
    act(type(editor, 'typed'))
    await user.clear(panel().getByLabelText('Name'))
    await user.type(panel().getByLabelText('Name'), 'trial.ts')
    await user.click(panel().getByRole('button', { name: 'Backtest' }))
    await waitFor(() => expect(api.calls(backtests.get)).not.toHaveLength(0))
    expect(await screen.findByRole('textbox', { name: 'Source of trial.ts' })).toHaveTextContent(/^typed$/)
    expect(api.calls(backtests.start)[0]?.body).toMatchObject({
      strategy: { config: { module: 'trial.ts' } },
    })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('[EDIT-5] a strategy that was promoted from the run is started beside it', async () => {
    runs = [aRun(9)]
    const promotion = { strategy: 'S-1', backtest: 9, hash: 'h', promoted_at: '', results: [1] }
    api.on(backtests.promotions, { promotions: [promotion] })
    api.on(strategies.list, {
      strategies: [{ id: 'S-1', name: 'Mine', type: 'custom', status: 'stopped' }],
    })
    api.on(strategies.start, {})
    const { user } = renderConsole('/trader/backtesting?run=9')
    await user.click(await screen.findByRole('button', { name: 'Start Mine' }))
    await waitFor(() => expect(api.calls(strategies.start)).toHaveLength(1))
  })
})
