import { components, engine, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { problemReply } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
// The page loads it on demand, which takes longer than a test waits.
import './component-details.tsx'
import { parseConfig } from './parse-config.ts'

describe('live components', () => {
  let api: FakeApi
  let status: string

  beforeEach(() => {
    status = 'running'
    api = createFakeApi()
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['components'] })
    api.on(engine.systemInfo, () => ({
      components: [
        { id: 'RiskEngine', name: 'RiskEngine', type: 'Engine', status, config: { depth: 5 } },
        { id: 'Cache', name: 'Cache', type: 'Component', status: 'running' },
      ],
    }))
    api.on(components.stop, () => {
      status = 'stopped'
      return { message: 'RiskEngine stopped' }
    })
  })
  afterEach(clearToasts)

  const row = () => {
    const entry = screen.getByText('RiskEngine').closest('tr')
    if (!entry) throw new Error('RiskEngine is in no row')
    return within(entry)
  }

  test('[CAP-7] [CAP-9] keeps every label, carries no Simulated mark and shows what the engine says', async () => {
    renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
    for (const name of ['Start All', 'Stop All', 'Restart All']) {
      expect(screen.getByRole('button', { name })).toBeEnabled()
    }
    for (const name of ['Stop', 'Restart', 'Config'])
      expect(row().getByRole('button', { name })).toBeEnabled()
  })

  test('Stop stops the component and reloads the list', async () => {
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(row().getByRole('button', { name: 'Stop' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }))
    expect(await row().findByText('stopped')).toBeInTheDocument()
    expect(api.calls(components.stop)[0]?.body).toEqual({ component: 'RiskEngine' })
    await waitFor(() => expect(toastsOfType('success')).toEqual(['RiskEngine stopped']))
  })

  test('[COMP-10] a stopped component offers Start beside Stop', async () => {
    status = 'stopped'
    api.on(components.start, () => {
      status = 'running'
      return { message: 'RiskEngine started' }
    })
    const { user } = renderConsole('/admin/components')
    await screen.findByText('stopped')
    expect(row().getByRole('button', { name: 'Stop' })).toBeEnabled()
    await user.click(row().getByRole('button', { name: 'Start' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['RiskEngine started']))
    expect(api.calls(components.start)[0]?.body).toEqual({ component: 'RiskEngine' })
    await waitFor(() => expect(row().queryByRole('button', { name: 'Start' })).not.toBeInTheDocument())
  })

  test('[COMP-6] Stop shows its effect on trading first; Cancel stops nothing', async () => {
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(row().getByRole('button', { name: 'Stop' }))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent('Stop RiskEngine?')
    expect(question).toHaveTextContent(
      'The daily loss limit is not checked, and orders that add exposure are refused. Cancels and closing orders are accepted.',
    )
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(api.calls(components.stop)).toEqual([])
    expect(toastsOfType('info')).toEqual([])
  })

  test.each([
    ['Stop All', 'Stop all components?', 'Nothing trades until the components are started again'],
    ['Restart All', 'Restart all components?', 'Working orders are cancelled.'],
  ])('[COMP-6] %s needs a confirmation too', async (name, sentence, consequence) => {
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(screen.getByRole('button', { name }))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent(sentence)
    expect(question).toHaveTextContent(consequence)
  })

  test('[COMP-6] Start All needs no confirmation', async () => {
    api.on(components.start, {})
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(screen.getByRole('button', { name: 'Start All' }))
    await waitFor(() => expect(api.calls(components.start)).toHaveLength(2))
  })

  test('Restart All restarts each component', async () => {
    api.on(components.restart, {})
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(screen.getByRole('button', { name: 'Restart All' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restart' }))
    await waitFor(() =>
      expect(api.calls(components.restart).map(({ body }) => body)).toEqual([
        { component: 'RiskEngine' },
        { component: 'Cache' },
      ]),
    )
  })

  test('[COMP-400] Stop All goes on after a failure and reports each component', async () => {
    api.answer(components.stop, ({ body }) =>
      JSON.stringify(body).includes('RiskEngine')
        ? problemReply(409, 'An order is being sent.')
        : Response.json({}),
    )
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(screen.getByRole('button', { name: 'Stop All' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(toastsOfType('warning')).toEqual(['One component was not stopped.']))
    const items = within(screen.getByRole('alert')).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'RiskEngine: not stopped. An order is being sent.',
      'Cache: stopped',
    ])
  })

  test('[COMP-400] Restart All names what was refused apart from what was not answered', async () => {
    api.answer(components.restart, ({ body }) =>
      JSON.stringify(body).includes('RiskEngine')
        ? problemReply(409, 'An order is being sent.')
        : new Response('Bad gateway', { status: 502 }),
    )
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(screen.getByRole('button', { name: 'Restart All' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restart' }))
    await waitFor(() =>
      expect(toastsOfType('warning')).toEqual([
        'One component was not restarted. No answer about one component.',
      ]),
    )
    const items = within(screen.getByRole('alert')).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'RiskEngine: not restarted. An order is being sent.',
      'Cache: no answer; check the status shown here.',
    ])
  })

  test('Config shows the configuration, rejects anything but an object and saves it', async () => {
    api.on(components.configure, {})
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(row().getByRole('button', { name: 'Config' }))
    const text = await screen.findByRole('textbox', { name: 'Configuration as JSON' })
    expect(text).toHaveValue('{\n  "depth": 5\n}')
    await user.clear(text)
    await user.type(text, '[[1]')
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    await user.clear(text)
    await user.type(text, '{{"depth": 9}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(api.calls(components.configure)[0]?.body).toEqual({
        component: 'RiskEngine',
        config: { depth: 9 },
      }),
    )
  })

  test('[COMP-18] a refused configuration has its reason in the dialog and stays as typed', async () => {
    api.answer(components.configure, () => problemReply(422, 'RiskEngine: depth must be a number.'))
    const { user } = renderConsole('/admin/components')
    await screen.findByText('RiskEngine')
    await user.click(row().getByRole('button', { name: 'Config' }))
    const text = await screen.findByRole('textbox', { name: 'Configuration as JSON' })
    await user.clear(text)
    await user.type(text, '{{"depth": "x"}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('RiskEngine: depth must be a number.')).toBeVisible()
    expect(text).toHaveValue('{"depth": "x"}')
    expect(toastsOfType('error')).toEqual([])
    api.on(components.configure, {})
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('a configuration is a JSON object', () => {
    expect(parseConfig('{"a":1}')).toEqual({ config: { a: 1 } })
    expect(parseConfig('{"a":')).toEqual({ fault: 'Not valid JSON. Line 1, column 6: a value is missing.' })
    expect(parseConfig('[]')).toEqual({ fault: 'Enter a JSON object, such as { "name": value }.' })
  })
})
