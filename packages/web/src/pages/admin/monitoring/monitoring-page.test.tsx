import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent

const open = async () => {
  const api = createFakeApi()
  const view = renderConsole('/admin/monitoring')
  await screen.findByText('CPU Usage')
  return { ...view, api }
}

describe('monitoring', () => {
  afterEach(clearToasts)

  test('[MON-1] four cards with fixed figures, marked as simulated', async () => {
    await open()
    expect(figure('CPU Usage')).toBe('45%')
    expect(figure('Memory')).toBe('2.1GB')
    expect(figure('Requests/sec')).toBe('1,234')
    expect(figure('Uptime')).toBe('99.9%')
    expect(screen.getByText('Simulated')).toBeVisible()
  })

  test.each([
    ['View Metrics', 'Detailed metrics are not offered by this server'],
    ['View Logs', 'Logs are not offered by this server'],
    ['View Alerts', 'Alerts are not offered by this server'],
    ['View Reports', 'Reports are not offered by this server'],
  ])('[MON-2] %s only says: %s', async (name, message) => {
    const { api, user } = await open()
    await user.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(toastsOfType('info')).toEqual([message]))
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })
})
