import { PAGE_DATA_ID, type PageData, service } from '@binnacle/contract'
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'

const CONFIG = { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' }

function putIntoPage(data: PageData) {
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = PAGE_DATA_ID
  element.textContent = JSON.stringify(data)
  document.head.append(element)
}

afterEach(() => document.getElementById(PAGE_DATA_ID)?.remove())

test('[CALL-85] a console whose page has the addresses and capabilities asks for neither', async () => {
  const api = createFakeApi()
  const asked = vi.spyOn(globalThis, 'fetch')
  putIntoPage({ config: CONFIG, capabilities: { capabilities: [] } })
  renderConsole('/admin/features')
  expect(await screen.findByText('Not offered by this engine')).toBeVisible()
  expect(api.calls(service.capabilities)).toEqual([])
  expect(asked.mock.calls.filter(([url]) => String(url).endsWith('/config.json'))).toEqual([])
})

test('[CALL-85] the capabilities of the page’s server say nothing about a backend elsewhere', async () => {
  const api = createFakeApi()
  putIntoPage({
    config: { ...CONFIG, trading_api_url: 'http://engine.test:1' },
    capabilities: { capabilities: ['features'] },
  })
  renderConsole('/admin/features')
  expect(await screen.findByRole('button', { name: 'Enable All' })).toBeVisible()
  expect(api.calls(service.capabilities)).toHaveLength(1)
})
