import { platformServices, service } from '@binnacle/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { choosePorts } from './choose-ports.ts'

const NAMES = ['components', 'features', 'services', 'adapters', 'monitoring', 'settings'] as const

const liveWith = (...capabilities: string[]) => ({
  kind: 'live' as const,
  capabilities: new Set(capabilities),
})

describe('which port a screen gets', () => {
  test.each(NAMES)('[CAP-2] the baseline simulates %s', (name) => {
    expect(choosePorts({ kind: 'baseline' })[name].kind).toBe('simulated')
  })

  test.each(NAMES)('[CAP-4] an unknown backend gives no control of %s', (name) => {
    expect(choosePorts(undefined)[name]).toEqual({ kind: 'unknown' })
  })

  test.each(NAMES)('[CAP-8] a live backend without %s is not simulated there', (name) => {
    const others = NAMES.filter((other) => other !== name)
    expect(choosePorts(liveWith(...others))[name].kind).toBe('not-offered')
  })

  test.each(NAMES)('[CAP-6] where a backend offers %s, nothing is simulated', (name) => {
    expect(choosePorts(liveWith(name))[name].kind).not.toBe('simulated')
  })
})

/** Each page whose controls depend on what the backend is, with one that must not be there. */
const PAGES = [
  ['/admin/components', 'Components', 'Stop All'],
  ['/admin/features', 'Features', 'Enable All'],
  ['/admin/adapters', 'Adapters', 'Test All'],
  ['/admin/monitoring', 'Monitoring', 'View Metrics'],
  ['/admin/settings', 'Settings', 'Save All'],
] as const

describe('pages without a port', () => {
  test.each(PAGES)(
    '[CAP-4] %s shows no controls and says why while the backend is unknown',
    async (path, title, control) => {
      const api = createFakeApi()
      api.fail(service.capabilities, 503)
      renderConsole(path)
      expect(await screen.findByText('Waiting for the server')).toBeVisible()
      expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible()
      expect(screen.queryByRole('button', { name: control })).not.toBeInTheDocument()
      expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
    },
  )

  test.each(PAGES)(
    '[CAP-8] [CAP-15] %s disables its controls and shows no status over a live backend without it',
    async (path, title, control) => {
      const api = createFakeApi()
      api.on(service.capabilities, { capabilities: ['stream'] })
      renderConsole(path)
      expect(await screen.findByText('Not offered by this engine')).toBeVisible()
      expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible()
      const main = within(screen.getByRole('main'))
      expect(await main.findByRole('button', { name: control })).toBeDisabled()
      const enabled = main.getAllByRole('button').filter((button) => !button.matches(':disabled'))
      expect(enabled.map((button) => button.textContent)).toEqual(['Back'])
      expect(main.queryByText(/^(running|stopped|connected|disconnected|on|off)$|%|GB/)).toBeNull()
      expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
    },
  )

  test('[CAP-8] a backend with services and without feature flags marks the flags only', async () => {
    const api = createFakeApi()
    api.on(service.capabilities, { capabilities: ['services'] })
    api.on(platformServices.list, { services: [{ id: 'risk', name: 'Risk Service', status: 'running' }] })
    renderConsole('/admin/features')
    expect(await screen.findByRole('button', { name: 'Enable All' })).toBeDisabled()
    expect(await screen.findByText('running')).toBeVisible()
    expect(screen.getAllByText('Not offered by this engine')).toHaveLength(1)
    expect(screen.getByRole('region', { name: /^Feature Flags/ })).toHaveTextContent(
      'Not offered by this engine',
    )
  })
})
